import { canonicalCanvas } from "./canonicalCanvas.ts"
import type { GifFacts, GifImage } from "./GifFacts.ts"

/** A piece of the canonical GIF: bytes of ours, or a range of the input. */
export type CanonicalPiece =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "range"; readonly offset: number; readonly length: number }

const low = (value: number): number => value & 255
const high = (value: number): number => (value >> 8) & 255

const concat = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** Red, green and blue of `#RRGGBB`. */
const coloursOfHex = (background: string): ReadonlyArray<number> => {
  const rgb = Number.parseInt(background.slice(1), 16)
  return [(rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255]
}

const header = (facts: GifFacts, background: string): Uint8Array => {
  const { height, width } = canonicalCanvas(facts)
  const colour = coloursOfHex(background)
  return Uint8Array.of(
    ...[0x47, 0x49, 0x46, 0x38, 0x39, 0x61],
    ...[low(width), high(width), low(height), high(height), 0x80, 0, 0],
    ...colour,
    ...colour
  )
}

const disposalBits = { keep: 1, clear: 2, restore: 3 } as const

const control = (image: GifImage, disposal: GifImage["disposal"], transparentIndex: number | undefined): Uint8Array =>
  Uint8Array.of(
    ...[0x21, 0xf9, 4],
    (disposalBits[disposal] << 2) | (transparentIndex === undefined ? 0 : 1),
    ...[low(image.delay_cs), high(image.delay_cs), transparentIndex ?? 0, 0]
  )

/** A 1×1 image that draws nothing: four colours, and LZW data "clear, 0, end" over a transparent 0. */
const blankImage = Uint8Array.of(
  ...[0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0x81],
  ...[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  ...[2, 2, 0x44, 0x01, 0]
)

/** Shows nothing and keeps the time. It disposes of nothing either, or the pixel under it would be cleared. */
const blankPiece = (image: GifImage): CanonicalPiece => ({
  kind: "bytes",
  bytes: concat([control(image, "keep", 0), blankImage])
})

/** Bits of a palette size: a palette of `2 << bits` colours holds every index that the data can name. */
const paletteBits = (colours: number, codeSize: number): number =>
  Math.max(1, Math.ceil(Math.log2(Math.max(2, colours))), Math.min(8, codeSize)) - 1

const descriptor = (image: GifImage, bits: number): Uint8Array =>
  Uint8Array.of(
    ...[0x2c, low(image.left), high(image.left), low(image.top), high(image.top)],
    ...[low(image.width), high(image.width), low(image.height), high(image.height)],
    0x80 | (image.isInterlaced ? 0x40 : 0) | bits
  )

/**
 * Every image gets a palette of its own, filled up with black to all the indexes that its data can name: ffmpeg keeps
 * the entries of earlier palettes behind a shorter one, browsers show black there.
 */
const imagePieces = (facts: GifFacts, image: GifImage): ReadonlyArray<CanonicalPiece> => {
  const global = facts.globalPalette
  const colours = image.localColours > 0 ? image.localColours : global.length / 3
  const bits = paletteBits(colours, image.codeSize)
  const head = [control(image, image.disposal, image.transparentIndex), descriptor(image, bits)]
  const black = new Uint8Array(((2 << bits) - colours) * 3)
  const data: CanonicalPiece = { kind: "range", offset: image.dataOffset, length: image.dataLength }
  if (image.localColours === 0) return [{ kind: "bytes", bytes: concat([...head, global, black]) }, data]
  const palette: CanonicalPiece = { kind: "range", offset: image.paletteOffset, length: colours * 3 }
  return black.length === 0
    ? [
        { kind: "bytes", bytes: concat(head) },
        { ...palette, length: palette.length + data.length }
      ]
    : [{ kind: "bytes", bytes: concat(head) }, palette, { kind: "bytes", bytes: black }, data]
}

/**
 * The GIF that the decoder gets instead of the upload, as pieces whose ranges ascend.
 *
 * Same canvas and pixels, but what nothing draws on is the background colour, each image has one control and one
 * palette, delays are as browsers play them, and nothing else of the upload is left.
 *
 * @param background `#RRGGBB`
 */
export const canonicalPieces = (facts: GifFacts, background: string): ReadonlyArray<CanonicalPiece> => [
  { kind: "bytes", bytes: header(facts, background) },
  ...facts.images.flatMap((image) => (image.isUsable ? imagePieces(facts, image) : [blankPiece(image)])),
  { kind: "bytes", bytes: Uint8Array.of(0x3b) }
]

/** Turns the input's chunks, in order, into the canonical GIF's bytes. */
export interface CanonicalWriter {
  /** The canonical bytes that this chunk completes; often the chunk itself, which is then not copied. */
  readonly push: (chunk: Uint8Array) => Uint8Array
  /** Whether every byte has been given out; the rest of the input is not needed. */
  readonly isDone: () => boolean
}

export const makeCanonicalWriter = (pieces: ReadonlyArray<CanonicalPiece>): CanonicalWriter => {
  let index = 0
  /** Bytes already given out of the range that `index` points to. */
  let given = 0
  let offset = 0

  const push = (chunk: Uint8Array): Uint8Array => {
    const parts: Array<Uint8Array> = []
    const end = offset + chunk.length
    for (; index < pieces.length; index++) {
      const piece = pieces[index]
      if (piece === undefined) break
      if (piece.kind === "bytes") {
        parts.push(piece.bytes)
        continue
      }
      const from = piece.offset + given
      const to = Math.min(piece.offset + piece.length, end)
      if (to > from) {
        parts.push(chunk.subarray(from - offset, to - offset))
        given += to - from
      }
      if (given < piece.length) break
      given = 0
    }
    offset = end
    const [only] = parts
    return parts.length === 1 && only !== undefined ? only : concat(parts)
  }

  return { push, isDone: () => index >= pieces.length }
}
