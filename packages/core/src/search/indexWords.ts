import type { SearchQuery } from "./SearchQuery.ts"
import { textPieces } from "./textPieces.ts"

/** Longest word of an index, in characters: longer ones are cut there, in texts and in searches. */
const maxWord = 100

/** Words of one text in an index. */
const maxWords = 20_000

// A text has no more characters than it is long.
const cut = (text: string): string => (text.length <= maxWord ? text : Array.from(text).slice(0, maxWord).join(""))

/** Each two neighbours of a run. */
const pairs = (run: string): ReadonlyArray<string> => {
  const characters = Array.from(run)
  return characters.slice(1).map((character, place) => `${characters[place]}${character}`)
}

/**
 * The words by which an index finds texts that belong together: words as they are; of a run each two neighbours and the last
 * character, so that each character begins one of them.
 */
export const indexWords = (texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const words = new Set<string>()
  for (const { kind, text } of texts.flatMap(textPieces)) {
    if (words.size >= maxWords) break
    if (kind === "word") words.add(cut(text))
    else for (const pair of [...pairs(text), Array.from(text).at(-1) ?? ""]) words.add(pair)
  }
  return Array.from(words)
}

/** Whether an index has what is found, and nothing else: the pairs of longer runs may lie apart, long words are cut. */
export const isSettledByIndex = ({ pieces }: SearchQuery): boolean =>
  pieces.every(({ kind, text }) => Array.from(text).length < (kind === "run" ? 3 : maxWord))

/** A word of an index that a search needs, or the beginning of one. */
export interface IndexTerm {
  readonly word: string
  readonly isPrefix: boolean
}

/**
 * What an index must have for a search: whatever `matchesSearch` finds has all of these. It may have them without being
 * found, for where the pairs of a run lie is not kept.
 */
export const indexTerms = ({ pieces }: SearchQuery): ReadonlyArray<IndexTerm> =>
  pieces.flatMap(({ kind, text }, place) => {
    if (kind === "word") return [{ word: cut(text), isPrefix: place === pieces.length - 1 }]
    const all = pairs(text)
    return all.length === 0 ? [{ word: text, isPrefix: true }] : all.map((word) => ({ word, isPrefix: false }))
  })
