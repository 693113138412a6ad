import { css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from "lit"
import { tokens } from "../base/tokens.ts"
import { controls } from "./controls.ts"
import { icon, type IconName } from "./icon.ts"

/**
 * `<loopbox-menu>`: a button that opens a panel below it, whose content is the parent's. Escape and whatever takes the focus
 * elsewhere close it; a button in it with `data-closes` does, too.
 */
export class Menu extends LitElement {
  static override properties: PropertyDeclarations = {
    label: {},
    icon: {},
    iconOnly: { type: Boolean, attribute: "icon-only" },
    quiet: { type: Boolean },
    keys: {},
    open: { type: Boolean, reflect: true },
    isTurned: { state: true }
  }

  static override styles = [
    tokens,
    controls,
    css`
      :host {
        position: relative;
        display: inline-block;
      }

      .panel {
        position: absolute;
        z-index: 20;
        inset-block-start: calc(100% + 4px);
        inset-inline-end: 0;
        min-inline-size: 13rem;
        max-inline-size: min(20rem, 80vw);
        max-block-size: 24rem;
        overflow: auto;
        padding: 0.375rem;
        border: 1px solid var(--lb-border);
        border-radius: var(--lb-radius);
        background: var(--lb-raised);
        box-shadow: var(--lb-shadow);
      }

      :host([side="start"]) .panel {
        inset-inline: 0 auto;
      }

      :host([side="up"]) .panel {
        inset-block: auto calc(100% + 4px);
        inset-inline: 0 auto;
      }

      /* Above it there is no room: the console's foot stands at the top of a telephone. */
      :host([side="up"]) .panel.turned {
        inset-block: calc(100% + 4px) auto;
      }
    `
  ]

  declare label: string
  declare icon: IconName | undefined
  declare iconOnly: boolean
  declare quiet: boolean
  declare keys: string | undefined
  declare open: boolean
  /** Its panel would stand above the window. */
  declare isTurned: boolean

  constructor() {
    super()
    this.label = ""
    this.iconOnly = false
    this.quiet = false
    this.open = false
    this.isTurned = false
  }

  /** Opens it, and puts the focus on the first thing in it. */
  async show(): Promise<void> {
    this.open = true
    this.isTurned = false
    await this.updateComplete
    const panel = this.renderRoot.querySelector(".panel")
    this.isTurned = (panel?.getBoundingClientRect().top ?? 0) < 0
    await this.updateComplete
    // Near the end of a page its panel would be cut off.
    panel?.scrollIntoView({ block: "nearest" })
    const first = this.querySelector("input, button, select, a")
    if (first instanceof HTMLElement) first.focus()
  }

  hide(): void {
    if (!this.open) return
    this.open = false
    const isInside = this.matches(":focus-within")
    if (isInside) this.renderRoot.querySelector("button")?.focus()
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot()
    this.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.open) return
      event.stopPropagation()
      event.preventDefault()
      this.hide()
    })
    this.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget instanceof Node && (this.contains(relatedTarget) || relatedTarget === this)) return
      // A click on what takes no focus, such as the panel's edge, keeps it open.
      if (relatedTarget !== null) this.open = false
    })
    this.addEventListener("click", (event) => {
      if (event.composedPath().some((one) => one instanceof Element && one.hasAttribute("data-closes"))) this.hide()
    })
    return root
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.ownerDocument.addEventListener("pointerdown", this.#outside)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.ownerDocument.removeEventListener("pointerdown", this.#outside)
  }

  protected override render(): TemplateResult {
    const keys = this.keys === undefined ? "" : ` (${this.keys})`
    return html`<button
        type="button"
        class="button ${this.quiet ? "quiet" : "plain"} ${this.iconOnly ? "icon-only" : ""}"
        aria-expanded=${this.open ? "true" : "false"}
        aria-label=${this.iconOnly ? this.label : nothing}
        aria-keyshortcuts=${this.keys ?? nothing}
        title=${`${this.label}${keys}`}
        @click=${this.#toggle}
      >
        ${this.icon === undefined ? nothing : icon(this.icon)}
        ${this.iconOnly ? nothing : html`<span>${this.label}</span>`}
      </button>
      <div class="panel ${this.isTurned ? "turned" : ""}" ?hidden=${!this.open}><slot></slot></div>`
  }

  readonly #toggle = (event: Event): void => {
    event.stopPropagation()
    if (this.open) this.hide()
    else void this.show()
  }

  readonly #outside = (event: Event): void => {
    if (this.open && !event.composedPath().includes(this)) this.open = false
  }
}

if (customElements.get("loopbox-menu") === undefined) customElements.define("loopbox-menu", Menu)
