import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from "lit"
import type { PartMessages } from "../messages/english/parts.ts"
import { button } from "./button.ts"
import { partsOf, type Piece } from "./pieces.ts"

/** What of a long text is shown at once, and what a browser lays out at once of one that is shown as a whole. */
export const mostShown = 20_000

export const pieceView = ({ isLink, text }: Piece): TemplateResult | string =>
  isLink ? html`<a href=${text} target="_blank" rel="noopener noreferrer nofollow ugc">${text}</a>` : text

/**
 * `<loopbox-long-text>`: the beginning of a text that is longer than anybody reads, and all of it when it is asked for. Its
 * parts are laid out as they come into view, so that a megabyte does not hold the page up.
 */
export class LongText extends LitElement {
  static override properties: PropertyDeclarations = {
    text: { attribute: false },
    texts: { attribute: false },
    isWhole: { state: true }
  }

  declare text: string
  declare texts: PartMessages | undefined
  declare isWhole: boolean

  constructor() {
    super()
    this.text = ""
    this.isWhole = false
  }

  /** What stands around it gives its looks. */
  protected override createRenderRoot(): HTMLElement {
    return this
  }

  protected override render(): TemplateResult | typeof nothing {
    const { isWhole, text, texts } = this
    if (texts === undefined) return nothing
    const [first = [], ...others] = partsOf(text, mostShown)
    const part = (pieces: ReadonlyArray<Piece>, end = "") =>
      html`<span class="text-part">${pieces.map((piece) => pieceView(piece))}${end}</span>`
    return html`<span class="plain-text" dir="auto"
        >${part(first, isWhole ? "" : "…")}${isWhole ? others.map((pieces) => part(pieces)) : nothing}</span
      >${button({
        label: isWhole ? texts.showLess : texts.showAll(text.length),
        kind: "quiet",
        expanded: isWhole,
        onClick: () => (this.isWhole = !isWhole)
      })}`
  }
}

if (customElements.get("loopbox-long-text") === undefined) customElements.define("loopbox-long-text", LongText)
