import { linkWeight, takeLinks } from "./takeLinks.ts"

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

const isLight = (point: number): boolean =>
  point <= 4_351 ||
  (point >= 8_192 && point <= 8_205) ||
  (point >= 8_208 && point <= 8_223) ||
  (point >= 8_242 && point <= 8_247)

/** As X weighs it: a link 23, an emoji 2, letters of most alphabets 1 and others 2. */
const xLength = (text: string): number => {
  const { links, rest } = takeLinks(text.normalize("NFC"))
  let weight = links * linkWeight
  const letters = rest.replace(emoji(), (one) => {
    if (/^[\d#*]$/.test(one)) return one
    weight += 2
    return ""
  })
  for (const letter of letters) weight += isLight(letter.codePointAt(0) ?? 0) ? 1 : 2
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

/** What is written under a post of a network, and how long a post may be where that is longer. */
const posts: Readonly<Record<string, readonly [source: string, limit: number]>> = {
  instagram: ["ig_comment", 2_200],
  facebook: ["fb_comment", 63_206],
  threads: ["threads_reply", 500],
  x: ["x_reply", 280]
}

/** A post's text as its network counts it; undefined of a network that is not known here, which the host judges. */
export const measurePost = (network: string, text: string): TextMeasure | undefined => {
  const [source = "", limit = 0] = posts[network] ?? []
  const measured = measureText(source, text)
  return measured === undefined ? undefined : { length: measured.length, limit }
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
