import { beginningOf } from "./beginningOf.ts"

/** A web address, or text between two. */
export interface Piece {
  readonly text: string
  readonly isLink: boolean
}

const links = /\bhttps?:\/\/[^\s<>"'`]+/gi

/** What is longer leads nowhere. */
const longestLink = 2_000

/** They end a sentence, and not the address before them. */
const stops = ".,;:!?)]}»”"

const trimLink = (text: string): string => {
  let end = text.length
  while (end > 0 && stops.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** A text in pieces: plain ones and web addresses. */
export const piecesOf = (text: string): ReadonlyArray<Piece> => {
  const pieces: Array<Piece> = []
  let at = 0
  for (const match of text.matchAll(links)) {
    const link = trimLink(match[0])
    if (link.length > longestLink) continue
    if (match.index > at) pieces.push({ text: text.slice(at, match.index), isLink: false })
    pieces.push({ text: link, isLink: true })
    at = match.index + link.length
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isLink: false })
  return pieces
}

/** So far back a word's end is looked for. */
const mostBack = 500

/** As many letters as there is room for; up to the end of a word, where there is one near. */
const cutOf = (text: string, room: number): string => {
  const beginning = beginningOf(text, room)
  const end = 1 + Math.max(beginning.lastIndexOf(" "), beginning.lastIndexOf("\n"))
  return end > Math.max(0, beginning.length - mostBack) ? beginning.slice(0, end) : beginning
}

/** The pieces of a long text, in parts of about as many letters; no address is cut. */
export const partsOf = (text: string, letters: number): ReadonlyArray<ReadonlyArray<Piece>> => {
  const parts: Array<Array<Piece>> = [[]]
  let room = letters
  for (const piece of piecesOf(text)) {
    for (let rest = piece.text; rest !== "";) {
      const taken = piece.isLink || rest.length <= room ? rest : cutOf(rest, room)
      if (taken !== "") parts.at(-1)?.push({ ...piece, text: taken })
      rest = rest.slice(taken.length)
      room -= taken.length
      if (rest === "" && room > 0) continue
      parts.push([])
      room = letters
    }
  }
  return parts.filter((part) => part.length > 0)
}
