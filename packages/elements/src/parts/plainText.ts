import { html, type TemplateResult } from "lit"
import type { PartMessages } from "../messages/english/parts.ts"
import { mostShown, pieceView } from "./LongText.ts"
import { piecesOf } from "./pieces.ts"

/** What a person wrote, as text: never markup, and only web addresses become links. Its direction is its own. */
export const plainText = (text: string, texts: PartMessages): TemplateResult =>
  text.length > mostShown
    ? html`<loopbox-long-text .text=${text} .texts=${texts}></loopbox-long-text>`
    : html`<span class="plain-text" dir="auto">${piecesOf(text).map((piece) => pieceView(piece))}</span>`
