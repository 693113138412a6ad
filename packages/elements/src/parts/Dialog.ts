import { css, html, LitElement, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit"
import { tokens } from "../base/tokens.ts"
import { button } from "./button.ts"
import { controls } from "./controls.ts"

/**
 * `<loopbox-dialog>`: a native modal dialog with a heading; its content and the slot `actions` are the parent's, in the
 * parent's styles. It tells `close` when it is closed by Escape, its button or a click beside it, and gives the focus back.
 */
export class Dialog extends LitElement {
  static override properties: PropertyDeclarations = {
    open: { type: Boolean },
    heading: {},
    closeLabel: { attribute: "close-label" }
  }

  static override styles = [
    tokens,
    controls,
    css`
      dialog {
        inline-size: min(32rem, calc(100vw - 2rem));
        max-block-size: calc(100dvh - 4rem);
        padding: 0;
        border: 1px solid var(--lb-border);
        border-radius: calc(var(--lb-radius) * 1.5);
        background: var(--lb-raised);
        color: var(--lb-text);
        box-shadow: var(--lb-shadow);
      }

      dialog::backdrop {
        background: #14151a73;
      }

      .head {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 1rem;
        padding: 0.875rem 0.875rem 0 1.25rem;
      }

      h2 {
        font-size: 1.0625rem;
        font-weight: 650;
      }

      .body {
        padding: 0.75rem 1.25rem 1.25rem;
      }

      footer {
        display: flex;
        flex-wrap: wrap;
        justify-content: flex-end;
        gap: 0.5rem;
        padding: 0 1.25rem 1.25rem;
      }

      footer:not(.has-actions) {
        display: none;
      }
    `
  ]

  declare open: boolean
  declare heading: string
  declare closeLabel: string

  constructor() {
    super()
    this.open = false
    this.heading = ""
    this.closeLabel = "Close"
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has("open")) return
    const dialog = this.renderRoot.querySelector("dialog")
    if (this.open && dialog?.open === false) {
      dialog.showModal()
      // What it is opened for; its own button for closing stands before that.
      const first = this.querySelector("[data-first], .input")
      if (first instanceof HTMLElement) first.focus()
    }
    if (!this.open && dialog?.open === true) dialog.close()
  }

  protected override render(): TemplateResult {
    return html`<dialog aria-labelledby="heading" @close=${this.#closed} @click=${this.#clicked}>
      <div class="head">
        <h2 id="heading">${this.heading}</h2>
        ${button({
          label: this.closeLabel,
          icon: "close",
          iconOnly: true,
          kind: "quiet",
          onClick: () => this.renderRoot.querySelector("dialog")?.close()
        })}
      </div>
      <div class="body"><slot></slot></div>
      <footer><slot name="actions" @slotchange=${this.#filled}></slot></footer>
    </dialog>`
  }

  readonly #filled = (event: Event): void => {
    const { target } = event
    if (!(target instanceof HTMLSlotElement)) return
    target.parentElement?.classList.toggle("has-actions", target.assignedElements().length > 0)
  }

  readonly #closed = (): void => {
    if (!this.open) return
    this.open = false
    this.dispatchEvent(new CustomEvent("close"))
  }

  readonly #clicked = (event: MouseEvent): void => {
    const { target } = event
    if (target instanceof HTMLDialogElement) target.close()
  }
}

if (customElements.get("loopbox-dialog") === undefined) customElements.define("loopbox-dialog", Dialog)
