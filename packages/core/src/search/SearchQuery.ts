import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type TextPiece, textPieces } from "./textPieces.ts"

/**
 * Shortest and longest text of a search, in characters (code points, so that an emoji of two UTF-16 units is one) without
 * the spaces around it. One symbol is long enough: it is a word of its own (api-2-decided B33).
 */
export const searchLength = { least: 2, most: 200 } as const

/** What is searched for: every piece of it, the last one as the beginning of a word. */
export interface SearchQuery {
  readonly pieces: ReadonlyArray<TextPiece>
}

const symbol = /\p{So}/u

/** The text is too short or too long, or has no letter, digit or symbol. */
export class SearchInvalid extends Schema.TaggedError<SearchInvalid>()("SearchInvalid", {}) {}

/** What a text asks for (api-2.md §14, `q`); none if it can't be searched for. */
export const parseSearch = (q: string): Option.Option<SearchQuery> => {
  const { length } = Array.from(q.trim())
  const isLongEnough = length >= searchLength.least || symbol.test(q)
  const pieces = isLongEnough && length <= searchLength.most ? textPieces(q) : []
  return pieces.length === 0 ? Option.none() : Option.some({ pieces })
}

/** Whether all of a search is found in texts that belong together, wherever each piece of it is. */
export const matchesSearch = ({ pieces }: SearchQuery, texts: ReadonlyArray<string>): boolean => {
  const found = texts.flatMap(textPieces)
  return pieces.every((asked, place) => {
    const isLast = place === pieces.length - 1
    return found.some(({ kind, text }) => {
      if (kind !== asked.kind) return false
      if (kind === "run") return text.includes(asked.text)
      return isLast ? text.startsWith(asked.text) : text === asked.text
    })
  })
}
