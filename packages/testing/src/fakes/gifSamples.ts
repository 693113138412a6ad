import { lzwData } from "./lzw.ts"

/** One image of a generated GIF. Defaults: whole canvas, kept, opaque, 10 cs. */
export interface SampleImage {
  readonly left?: number
  readonly top?: number
  readonly width?: number
  readonly height?: number
  /** As written; undefined writes no graphic control at all. */
  readonly delay_cs?: number | undefined
  /** 0–7 as written. */
  readonly disposal?: number
  readonly transparentIndex?: number
  readonly isInterlaced?: boolean
  /** Red, green, blue of each colour; a power of two of them. */
  readonly palette?: ReadonlyArray<number>
  /** Colour index of a pixel of the image. Left out: colour `index of the image`, modulo 4. */
  readonly pixel?: (x: number, y: number) => number
  readonly codeSize?: number
  /** Raw image data, from the code size to the terminator, instead of `pixel`. */
  readonly data?: Uint8Array
}

/** A generated GIF. */
export interface SampleGif {
  readonly width: number
  readonly height: number
  readonly version?: "87a" | "89a"
  /** Undefined: red, green, blue, yellow. Empty: no global palette. */
  readonly palette?: ReadonlyArray<number>
  readonly backgroundIndex?: number
  readonly images: ReadonlyArray<SampleImage>
  /** Bytes between header and images, for instance extensions. */
  readonly before?: Uint8Array
  readonly trailer?: Uint8Array
}

/** Red, green, blue, yellow. */
export const samplePalette: ReadonlyArray<number> = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0]

const u16 = (value: number): ReadonlyArray<number> => [value & 255, (value >> 8) & 255]

const paletteBits = (palette: ReadonlyArray<number>): number =>
  Math.max(1, Math.ceil(Math.log2(palette.length / 3))) - 1

const headerBytes = (gif: SampleGif): Uint8Array => {
  const palette = gif.palette ?? samplePalette
  const packed = palette.length === 0 ? 0x70 : 0xf0 | paletteBits(palette)
  return Uint8Array.of(
    ...[0x47, 0x49, 0x46, 0x38, gif.version === "87a" ? 0x37 : 0x39, 0x61],
    ...[...u16(gif.width), ...u16(gif.height), packed, gif.backgroundIndex ?? 0, 0],
    ...palette
  )
}

/** The bytes of a graphic control. */
export const graphicControl = (control: Pick<SampleImage, "delay_cs" | "disposal" | "transparentIndex">): Uint8Array =>
  Uint8Array.of(
    ...[0x21, 0xf9, 4],
    ((control.disposal ?? 1) << 2) | (control.transparentIndex === undefined ? 0 : 1),
    ...u16(control.delay_cs ?? 10),
    ...[control.transparentIndex ?? 0, 0]
  )

/** Order in which an interlaced image stores its rows. */
const rowOrder = (height: number, isInterlaced: boolean): ReadonlyArray<number> => {
  const rows = Array.from({ length: height }, (_, row) => row)
  if (!isInterlaced) return rows
  return [
    ...rows.filter((row) => row % 8 === 0),
    ...rows.filter((row) => row % 8 === 4),
    ...rows.filter((row) => row % 4 === 2),
    ...rows.filter((row) => row % 2 === 1)
  ]
}

const imageBytes = (gif: SampleGif, image: SampleImage, index: number): ReadonlyArray<Uint8Array> => {
  const width = image.width ?? gif.width
  const height = image.height ?? gif.height
  const palette = image.palette ?? []
  const pixel = image.pixel ?? (() => index % 4)
  const rows = rowOrder(height, image.isInterlaced ?? false)
  const indexes = () => Uint8Array.from(rows.flatMap((y) => Array.from({ length: width }, (_, x) => pixel(x, y))))
  const colours = Math.max(gif.palette?.length ?? samplePalette.length, palette.length) / 3
  const codeSize = image.codeSize ?? Math.max(2, Math.ceil(Math.log2(Math.max(2, colours))))
  const hasControl = !("delay_cs" in image) || image.delay_cs !== undefined
  return [
    ...(hasControl ? [graphicControl(image)] : []),
    Uint8Array.of(
      ...[0x2c, ...u16(image.left ?? 0), ...u16(image.top ?? 0), ...u16(width), ...u16(height)],
      (palette.length === 0 ? 0 : 0x80 | paletteBits(palette)) | (image.isInterlaced === true ? 0x40 : 0),
      ...palette
    ),
    image.data ?? lzwData(indexes(), codeSize)
  ]
}

/** The GIF in pieces: header, each image, trailer. */
export function* sampleGifChunks(gif: SampleGif): Generator<Uint8Array> {
  yield headerBytes(gif)
  if (gif.before !== undefined) yield gif.before
  for (const [index, image] of gif.images.entries()) yield* imageBytes(gif, image, index)
  yield gif.trailer ?? Uint8Array.of(0x3b)
}

/** Joins pieces to one array. */
export const joinBytes = (parts: Iterable<Uint8Array>): Uint8Array => {
  const all = [...parts]
  const joined = new Uint8Array(all.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of all) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** The whole GIF. */
export const sampleGif = (gif: SampleGif): Uint8Array => joinBytes(sampleGifChunks(gif))

/** Images that fill a small canvas, one per delay, in four alternating colours. */
export const animatedGif = (delays_cs: ReadonlyArray<number>, size = { width: 32, height: 32 }): Uint8Array =>
  sampleGif({ ...size, images: delays_cs.map((delay_cs) => ({ delay_cs })) })

/** A comment extension of exactly this many bytes; 3 is the least. */
export const commentOf = (size_bytes: number): Uint8Array => {
  const comment = new Uint8Array(size_bytes).fill(0x2e)
  comment.set([0x21, 0xfe])
  let at = 2
  // Each step leaves at least the terminator.
  while (size_bytes - at > 1) {
    const block = Math.min(255, size_bytes - at - 2)
    comment[at] = block
    at += block + 1
  }
  comment[size_bytes - 1] = 0
  return comment
}

/** Pseudo-random numbers; the same for the same seed. */
export const noise = (seed: number): (() => number) => {
  let state = seed >>> 0 || 1
  return () => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state & 255
  }
}

const greys: ReadonlyArray<number> = Array.from({ length: 256 }, (_, grey) => [grey, grey, grey]).flat()

/**
 * A GIF of exactly `size_bytes` in chunks: 640×360 of noise at 20 images a second, at most 60 s, padded with comments.
 *
 * Only one image is in memory at a time.
 */
export function* bigGifChunks(size_bytes: number): Generator<Uint8Array> {
  const width = 640
  const height = 360
  const grain = noise(7)
  const gif: SampleGif = { width, height, palette: greys, images: [] }
  const header = headerBytes(gif)
  const image = joinBytes(imageBytes(gif, { delay_cs: 5, pixel: grain }, 0))
  yield header
  let left = size_bytes - header.length - 1
  for (let count = 0; count < 1200 && (count === 0 || left >= image.length + 3); count++) {
    yield image
    left -= image.length
  }
  while (left >= 3) {
    const filler = commentOf(left > 70_000 ? 65_536 : left)
    yield filler
    left -= filler.length
  }
  // One or two bytes are too few for a comment; stray terminators are allowed between blocks.
  if (left > 0) yield new Uint8Array(left)
  yield Uint8Array.of(0x3b)
}
