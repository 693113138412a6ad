import * as Option from "effect/Option"
import type { SourceTraits } from "./Network.ts"

const maxBody_bytes = 65_536
const maxName_chars = 512
const maxId_chars = 512
const maxUrl_chars = 2_048

/** Without NUL, which PostgreSQL can't store, and without lone surrogates, which UTF-8 can't. */
const storable = (text: string): string => text.replaceAll("\u0000", "").toWellFormed()

/** The body of an item: storable, and cut at a character boundary to 64 KiB of UTF-8. */
export const bodyText = (text: string): string => {
  const clean = storable(text)
  if (clean.length * 3 <= maxBody_bytes) return clean
  const { read } = new TextEncoder().encodeInto(clean, new Uint8Array(maxBody_bytes))
  return clean.slice(0, read)
}

/** A name: storable, trimmed, not empty, and cut to 512 characters. */
export const nameText = (text: string): Option.Option<string> => {
  const clean = storable(text).trim().slice(0, maxName_chars).toWellFormed()
  return clean === "" ? Option.none() : Option.some(clean)
}

/** An id: 1 to 512 storable characters. Never altered, since an altered id would name something else. */
export const idText = (text: string): Option.Option<string> =>
  text !== "" && text.length <= maxId_chars && storable(text) === text ? Option.some(text) : Option.none()

/** A link that may be shown: http or https, at most 2,048 characters, no control characters or spaces. */
export const linkText = (text: string): Option.Option<string> =>
  text.length <= maxUrl_chars && /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && text.isWellFormed() && URL.canParse(text)
    ? Option.some(text)
    : Option.none()

/**
 * Normalises a text for comparison: networks may return another Unicode form, other white space, and changes of their
 * own.
 */
const comparable = (traits: SourceTraits, text: string): string =>
  traits.comparable(text.normalize("NFC").replace(/\s+/gu, " ").trim())

/** Whether a text on the network is what was sent. */
export const isSameText = (traits: SourceTraits, shown: string, sent: string): boolean =>
  comparable(traits, shown) === comparable(traits, sent)
