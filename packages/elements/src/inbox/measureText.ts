/** A text's length and how long it may be, as its network counts. */
export interface TextMeasure {
  readonly length: number
  readonly limit: number
}

const encoder = new TextEncoder()
const bytes = (text: string): number => encoder.encode(text).length
const characters = (text: string): number => Array.from(text).length

/** Emoji, however many code points one is made of; where a browser does not know their list, singly. */
const makeEmoji = (): RegExp => {
  try {
    return new RegExp("\\p{RGI_Emoji}", "gv")
  } catch {
    return /\p{Extended_Pictographic}/gu
  }
}

let madeEmoji: RegExp | undefined
// At its first use, for it is dear to make.
const emoji = (): RegExp => (madeEmoji ??= makeEmoji())

const threadsLength = (text: string): number => {
  let emojiBytes = 0
  const others = text.replace(emoji(), (one) => {
    emojiBytes += bytes(one)
    return ""
  })
  return characters(others) + emojiBytes
}

const linkWeight = 23
const links =
  /\bhttps?:\/\/[^\s]+|\b(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|app|co|de|eu|uk|fr|me|info|shop|xyz)\b(?:\/[^\s]*)?/gi

const isLight = (point: number): boolean =>
  point <= 4_351 ||
  (point >= 8_192 && point <= 8_205) ||
  (point >= 8_208 && point <= 8_223) ||
  (point >= 8_242 && point <= 8_247)

/** As X weighs it: a link 23, an emoji 2, letters of most alphabets 1 and others 2. */
const xLength = (text: string): number => {
  let weight = 0
  const withoutLinks = text.normalize("NFC").replace(links, () => {
    weight += linkWeight
    return ""
  })
  const rest = withoutLinks.replace(emoji(), (one) => {
    if (/^[\d#*]$/.test(one)) return one
    weight += 2
    return ""
  })
  for (const letter of rest) weight += isLight(letter.codePointAt(0) ?? 0) ? 1 : 2
  return weight
}

const counts: Readonly<Record<string, readonly [count: (text: string) => number, limit: number]>> = {
  ig_comment: [characters, 2_200],
  ig_dm: [bytes, 1_000],
  fb_comment: [characters, 8_000],
  fb_dm: [characters, 2_000],
  threads_reply: [threadsLength, 500],
  x_reply: [xLength, 280]
}

/** Direct messages that a comment of a source is answered with in private. */
const privateSources: Readonly<Record<string, string>> = { ig_comment: "ig_dm", fb_comment: "fb_dm" }

/** The trimmed text as its source counts it; undefined of a source that is not known here, which the host judges. */
export const measureText = (source: string, text: string, isPrivate = false): TextMeasure | undefined => {
  const rule = counts[isPrivate ? (privateSources[source] ?? source) : source]
  if (rule === undefined) return undefined
  const [count, limit] = rule
  return { length: count(text.trim()), limit }
}
