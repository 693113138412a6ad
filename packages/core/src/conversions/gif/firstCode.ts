/**
 * Looks at the beginning of LZW data: is the first code after any clear codes a colour?
 *
 * Data that does not begin with a colour shows nothing in any decoder. This needs no dictionary, because the code width
 * cannot grow before the first colour.
 */
export interface FirstCode {
  /** Feeds one byte of data. True once the answer is known. */
  readonly push: (byte: number) => boolean
  /** False until a colour has been seen. */
  readonly isColour: () => boolean
}

/** Code sizes that every decoder takes. */
export const isCodeSize = (codeSize: number): boolean => codeSize >= 1 && codeSize <= 11

export const makeFirstCode = (codeSize: number): FirstCode => {
  const width = codeSize + 1
  const clear = 1 << codeSize
  const mask = (1 << width) - 1
  let bits = 0
  let held = 0
  let isColour = false
  return {
    push: (byte) => {
      bits |= byte << held
      held += 8
      while (held >= width) {
        const code = bits & mask
        if (code !== clear) {
          isColour = code < clear
          return true
        }
        bits >>>= width
        held -= width
      }
      return false
    },
    isColour: () => isColour
  }
}
