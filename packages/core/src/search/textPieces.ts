import { foldText, isAscii } from "./foldText.ts"

/** What a search compares. A run is of a script that has no spaces between its words: it is found by any part of it. */
export interface TextPiece {
  readonly kind: "word" | "run"
  readonly text: string
}

/** Symbols (emoji) are words of their own; letters and digits with their marks make words; all else separates. */
const tokens = /\p{So}|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu

/** Scripts without spaces. */
const runs = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]+|[\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu

/** The words and runs of a text, folded, in its order. */
export const textPieces = (text: string): ReadonlyArray<TextPiece> =>
  (foldText(text).match(tokens) ?? []).flatMap(piecesOf)

const piecesOf = (token: string): ReadonlyArray<TextPiece> => {
  if (isAscii(token)) return [{ kind: "word", text: token }]
  const pieces: Array<TextPiece> = []
  let end = 0
  const addWord = (text: string) => {
    if (text !== "") pieces.push({ kind: "word", text })
  }
  for (const run of token.matchAll(runs)) {
    addWord(token.slice(end, run.index))
    pieces.push({ kind: "run", text: run[0] })
    end = run.index + run[0].length
  }
  addWord(token.slice(end))
  return pieces
}
