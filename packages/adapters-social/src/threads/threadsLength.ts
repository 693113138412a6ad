import { eachEmoji } from "../payloads/emoji.ts"

/** Characters that a reply may have (social-networks.md §3.1). */
export const maxCharacters = 500

const encoder = new TextEncoder()

/** A text's length as Threads counts it: characters, but an emoji counts the bytes of its UTF-8. */
export const threadsLength = (text: string): number => {
  let emojiBytes = 0
  const others = text.replace(eachEmoji(), (emoji) => {
    emojiBytes += encoder.encode(emoji).length
    return ""
  })
  return Array.from(others).length + emojiBytes
}
