import { longestCode_bits } from "./lzw.ts"

/** Where LZW data ends or breaks before its image is full. */
export interface DataEnd {
  /** Codes before it, clear codes too. */
  readonly codes: number
  /** Pixels that these codes give. */
  readonly pixels: number
  /** The greatest of these codes. */
  readonly highestCode: number
  /** A colour index that the data could name and that none of these pixels has. */
  readonly unusedIndex: number | undefined
}

const dictionarySize = 1 << longestCode_bits

/**
 * Decodes the codes of LZW data without pixels: of each dictionary entry only its length is kept. The work is linear in
 * the bytes, not in the pixels.
 */
export class CodeCounter {
  /** Length of each word that a code names; of a colour it is 1. */
  private readonly lengths = new Uint16Array(dictionarySize)
  private readonly isUsed = new Uint8Array(dictionarySize)
  private wanted = 0
  private clear = 0
  private firstWidth = 0
  private width = 0
  private next = 0
  private bits = 0
  private held = 0
  /** Length of the word before; 0 after a clear code. */
  private before = 0
  private codes = 0
  private pixels = 0
  private isOver = true

  /** Whether more data cannot change anything: there are pixels enough, or the data is broken. */
  isDone(): boolean {
    return this.isOver
  }

  hasPixels(): boolean {
    return this.pixels > 0
  }

  /** Undefined when there were pixels enough. */
  end(): DataEnd | undefined {
    const { clear, codes, isUsed, pixels } = this
    if (pixels >= this.wanted) return undefined
    // A palette has 256 colours at most: of a longer code decoders take the lowest 8 bits.
    const hasColour = new Uint8Array(Math.min(256, clear))
    for (let code = 0; code < clear; code++) if (isUsed[code] === 1) hasColour[code & 255] = 1
    const unused = hasColour.indexOf(0)
    const unusedIndex = unused < 0 ? undefined : unused
    return { codes, pixels, highestCode: isUsed.lastIndexOf(1), unusedIndex }
  }

  /** Begins with the data of another image. Codes are followed until they give so many pixels. */
  start(codeSize: number, pixels: number): void {
    this.isUsed.fill(0)
    this.wanted = pixels
    this.clear = 1 << codeSize
    this.lengths.fill(1, 0, this.clear)
    this.codes = 0
    this.pixels = 0
    this.bits = 0
    this.held = 0
    this.isOver = pixels === 0
    this.firstWidth = codeSize + 1
    this.width = this.firstWidth
    this.next = this.clear + 2
    this.before = 0
  }

  /**
   * Takes the bytes of a sub-block, without its length.
   *
   * Tens of millions of codes come through here: the state is held in local variables, and no branch depends on a colour.
   */
  push(bytes: Uint8Array, from: number, to: number): void {
    const { clear, isUsed, lengths, wanted } = this
    let { before, bits, codes, held, next, pixels, width } = this
    let isOver = this.isOver
    let at = from
    while (!isOver) {
      // A code has 12 bits at most, and 32 fit.
      while (held <= 24 && at < to) {
        bits |= (bytes[at] ?? 0) << held
        held += 8
        at += 1
      }
      if (held < width) break
      while (held >= width) {
        const code = bits & ((1 << width) - 1)
        bits >>>= width
        held -= width
        if (code === clear) {
          codes += 1
          width = this.firstWidth
          next = clear + 2
          before = 0
          continue
        }
        // The newest word may be named by the code that makes it.
        isOver = code === clear + 1 || code > next || (code === next && before === 0)
        if (isOver) break
        if (before > 0 && next < dictionarySize) {
          lengths[next] = before + 1
          next += 1
        }
        if (next >= 1 << width && width < longestCode_bits) width += 1
        isUsed[code] = 1
        before = lengths[code] ?? 0
        codes += 1
        pixels += before
        isOver = pixels >= wanted
        if (isOver) break
      }
    }
    this.before = before
    this.bits = bits
    this.codes = codes
    this.held = held
    this.isOver = isOver
    this.next = next
    this.pixels = pixels
    this.width = width
  }
}
