import type { TextMeasure } from "@loopbox/core/networks/Reply"

/** Characters as people count them: code points. */
export const inCharacters = (text: string, limit: number): TextMeasure => ({ length: Array.from(text).length, limit })

/** Bytes of UTF-8. */
export const inBytes = (text: string, limit: number): TextMeasure => ({
  length: new TextEncoder().encode(text).length,
  limit
})
