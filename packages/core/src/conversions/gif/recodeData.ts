import type { ColourPair } from "../../media/gif/closestColours.ts"
import type { GifImage } from "../../media/gif/GifFacts.ts"
import { CodeWidth, longestCode_bits } from "../../media/gif/lzw.ts"

/** How image data that ends or breaks in a row is mended: its codes are kept, and the row is filled up. */
export interface Recoding {
  readonly codeSize: number
  /** The code size of the copy: greater by one where a colour index had to be added. */
  readonly newCodeSize: number
  /** Codes that are kept. */
  readonly codes: number
  /** Pixels that are added behind them, and their colour index. */
  readonly missing: number
  readonly index: number
  /** Colours that become one, so that an index is free. */
  readonly merge?: ColourPair
}

/** The greatest code size of a palette of 256 colours. */
const longestColour_bits = 8

/**
 * How the data of an image is mended; undefined where it need not be.
 *
 * ffmpeg drops the row in which data ends or breaks. A row that is filled up with a transparent colour is shown, so the
 * rest of it gets one: the image's own, or a colour that it doesn't use, or one more behind its colours. Where there is no
 * room for one more, in 256 colours that are all used or in a dictionary that is full, the two colours that differ least
 * become one.
 */
export const recodingOf = (image: GifImage): Recoding | undefined => {
  const { closestColours: merge, codeSize, dataEnd, transparentIndex, width } = image
  if (dataEnd === undefined) return undefined
  const clear = 1 << codeSize
  const recoding = { codeSize, codes: dataEnd.codes, missing: (width - (dataEnd.pixels % width)) % width }
  const hasOwn = transparentIndex !== undefined && transparentIndex < clear
  const index = hasOwn ? transparentIndex : dataEnd.unusedIndex
  if (index !== undefined) return { ...recoding, newCodeSize: codeSize, index }
  const hasRoom = codeSize < longestColour_bits && dataEnd.highestCode + clear < 1 << longestCode_bits
  if (hasRoom) return { ...recoding, newCodeSize: codeSize + 1, index: clear }
  return merge === undefined ? undefined : { ...recoding, newCodeSize: codeSize, index: merge.merged, merge }
}

/** Copies image data, in chunks of any size, from the code size to the end of the sub-blocks. */
export interface DataRecoder {
  readonly push: (chunk: Uint8Array) => Uint8Array
}

const longestBlock_bytes = 255

/** Packs codes into sub-blocks. */
class CodeWriter {
  private readonly block = new Uint8Array(longestBlock_bytes)
  private length = 0
  private bits = 0
  private held = 0
  private out: Array<number> = []
  private readonly width: CodeWidth

  constructor(codeSize: number) {
    this.width = new CodeWidth(codeSize)
    this.out.push(codeSize)
  }

  write(code: number): void {
    this.bits |= code << this.held
    this.held += this.width.width
    for (; this.held >= 8; this.held -= 8, this.bits >>>= 8) this.writeByte(this.bits & 255)
    this.width.take(code)
  }

  /** `count` pixels of one colour, in words that each are a pixel longer than the one before. */
  writeRun(index: number, count: number): void {
    const { clear } = this.width
    this.write(clear)
    for (let left = count, longest = 1; left > 0; longest++) {
      const size = Math.min(left, longest)
      this.write(size === 1 ? index : clear + size)
      left -= size
    }
  }

  finish(): void {
    this.write(this.width.clear + 1)
    if (this.held > 0) this.writeByte(this.bits & 255)
    this.flushBlock()
    this.out.push(0)
  }

  /** The bytes since the last call. */
  takeBytes(): Uint8Array {
    const bytes = Uint8Array.from(this.out)
    this.out = []
    return bytes
  }

  private writeByte(byte: number): void {
    this.block[this.length] = byte
    this.length += 1
    if (this.length === longestBlock_bytes) this.flushBlock()
  }

  private flushBlock(): void {
    if (this.length === 0) return
    this.out.push(this.length, ...this.block.subarray(0, this.length))
    this.length = 0
  }
}

class Recoder implements DataRecoder {
  private readonly reader: CodeWidth
  private readonly writer: CodeWriter
  private readonly recoding: Recoding
  private hasCodeSize = false
  /** Bytes left of the present sub-block. */
  private block = 0
  private bits = 0
  private held = 0
  private left: number

  constructor(recoding: Recoding) {
    this.recoding = recoding
    this.reader = new CodeWidth(recoding.codeSize)
    this.writer = new CodeWriter(recoding.newCodeSize)
    this.left = recoding.codes
  }

  readonly push = (chunk: Uint8Array): Uint8Array => {
    for (const byte of chunk) {
      if (this.left === 0) break
      this.read(byte)
    }
    return this.writer.takeBytes()
  }

  private read(byte: number): void {
    if (!this.hasCodeSize) {
      this.hasCodeSize = true
      return
    }
    if (this.block === 0) {
      this.block = byte
      return
    }
    this.block -= 1
    this.bits |= byte << this.held
    this.held += 8
    while (this.held >= this.reader.width && this.left > 0) {
      const { width } = this.reader
      this.copy(this.bits & ((1 << width) - 1))
      this.bits >>>= width
      this.held -= width
    }
  }

  private copy(code: number): void {
    const { codeSize, index, merge, missing, newCodeSize } = this.recoding
    const isColour = code < 1 << codeSize
    // Of a colour that needs more than 8 bits decoders take the lowest 8.
    if (isColour && (code & 255) === merge?.merged) this.writer.write(merge.kept)
    // A greater code size moves "clear", "end" and all words behind the colours by as much.
    else this.writer.write(isColour ? code : code + (1 << newCodeSize) - (1 << codeSize))
    this.reader.take(code)
    this.left -= 1
    if (this.left > 0) return
    if (missing > 0) this.writer.writeRun(index, missing)
    this.writer.finish()
  }
}

export const makeDataRecoder = (recoding: Recoding): DataRecoder => new Recoder(recoding)
