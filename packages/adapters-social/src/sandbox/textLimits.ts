import { linkPattern } from "./x/postFields.ts"

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

const isEmoji = (text: string): boolean => /^\p{RGI_Emoji}$/v.test(text)

/** UTF-8, as Instagram counts messages. */
export const byteLength = (text: string): number => new TextEncoder().encode(text).length

/** Characters, as Facebook and Instagram count comments. */
export const characterLength = (text: string): number => [...text].length

/** As Threads counts: an emoji by its bytes, anything else by its characters. */
export const threadsLength = (text: string): number =>
  [...graphemes.segment(text)].reduce(
    (sum, { segment }) => sum + (isEmoji(segment) ? byteLength(segment) : characterLength(segment)),
    0
  )

/** Those that count one on X; any other counts two. */
const isLight = (point: number): boolean =>
  point <= 0x10ff ||
  (point >= 0x2000 && point <= 0x200d) ||
  (point >= 0x2010 && point <= 0x201f) ||
  (point >= 0x2032 && point <= 0x2037)

const linkWeight = 23
const emojiWeight = 2

/** As X counts (twitter-text 3): in NFC, a link 23, an emoji 2 however long it is. */
export const weightedLength = (text: string): number => {
  let weight = 0
  const rest = text.normalize("NFC").replace(linkPattern, () => {
    weight += linkWeight
    return ""
  })
  for (const { segment } of graphemes.segment(rest)) {
    weight += isEmoji(segment)
      ? emojiWeight
      : [...segment].reduce((sum, one) => sum + (isLight(one.codePointAt(0) ?? 0) ? 1 : 2), 0)
  }
  return weight
}
