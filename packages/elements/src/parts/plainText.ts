import { html, type TemplateResult } from "lit"
import { beginningOf } from "./beginningOf.ts"

/** What of a long text is shown at once. */
const mostShown = 20_000

const links = /\bhttps?:\/\/[^\s<>"'`]+/gi

/** A link without the stop or bracket that ends a sentence. */
const trimLink = (text: string): string => text.replace(/[.,;:!?)\]}»”]+$/u, "")

/** A text in pieces: plain ones and web addresses. */
export const piecesOf = (text: string): ReadonlyArray<{ readonly text: string; readonly isLink: boolean }> => {
  const shown = text.length > mostShown ? `${beginningOf(text, mostShown)}…` : text
  const pieces: Array<{ text: string; isLink: boolean }> = []
  let at = 0
  for (const match of shown.matchAll(links)) {
    const link = trimLink(match[0])
    if (match.index > at) pieces.push({ text: shown.slice(at, match.index), isLink: false })
    pieces.push({ text: link, isLink: true })
    at = match.index + link.length
  }
  if (at < shown.length) pieces.push({ text: shown.slice(at), isLink: false })
  return pieces
}

/** What a person wrote, as text: never markup, and only web addresses become links. Its direction is its own. */
export const plainText = (text: string): TemplateResult =>
  html`<span class="plain-text" dir="auto"
    >${piecesOf(text).map((piece) =>
      piece.isLink
        ? html`<a href=${piece.text} target="_blank" rel="noopener noreferrer nofollow ugc">${piece.text}</a>`
        : piece.text
    )}</span
  >`
