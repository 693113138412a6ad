import { noise, sampleGif } from "@loopbox/testing/fakes/gifSamples"
import type { SampleImage } from "@loopbox/testing/fakes/gifSamples"

/** Packs payload into sub-blocks of at most `longest` bytes. */
const subBlocks = (codeSize: number, payload: ReadonlyArray<number>, longest: number): Uint8Array => {
  const out = [codeSize]
  for (let at = 0; at < payload.length; at += longest) {
    const block = payload.slice(at, at + longest)
    out.push(block.length, ...block)
  }
  return Uint8Array.from([...out, 0])
}

const payloadOf = (data: Uint8Array): ReadonlyArray<number> => {
  const payload: Array<number> = []
  for (let at = 1; (data[at] ?? 0) > 0; at += (data[at] ?? 0) + 1) {
    payload.push(...data.subarray(at + 1, at + 1 + (data[at] ?? 0)))
  }
  return payload
}

interface Break {
  readonly pixels: ReadonlyArray<number>
  readonly codeSize?: number
  /** Share of the data that is kept. */
  readonly kept: number
  /** What follows it: bytes of codes that mean nothing, or nothing. */
  readonly rest?: ReadonlyArray<number>
  readonly longestBlock?: number
}

/** Image data that ends too soon, or breaks. */
export const brokenData = ({ codeSize = 2, kept, longestBlock = 255, pixels, rest = [] }: Break): Uint8Array => {
  const row = { delay_cs: 0, codeSize, pixel: (x: number) => pixels[x] ?? 0 }
  // Behind header, control and descriptor stands the data.
  const data = sampleGif({ width: pixels.length, height: 1, images: [row] }).subarray(13 + 12 + 8 + 10, -1)
  const payload = payloadOf(data)
  return subBlocks(codeSize, [...payload.slice(0, Math.ceil(payload.length * kept)), ...rest], longestBlock)
}

const pixelsOf = (count: number, colours: number, seed = 5): ReadonlyArray<number> => {
  const next = noise(seed)
  return Array.from({ length: count }, () => next() % colours)
}

const canvas = { width: 20, height: 12 }
const whole: SampleImage = { delay_cs: 20, pixel: (x, y) => (x + y) % 4 }
const image = (broken: Partial<Break>, more: SampleImage = {}): SampleImage => ({
  delay_cs: 20,
  ...more,
  data: brokenData({ pixels: pixelsOf(20 * 12, 1 << (broken.codeSize ?? 2)), kept: 0.4, ...broken })
})
/** 256 colours, the last of which is the first one again. */
const twice = [...Array.from({ length: 765 }, (_, at) => (at * 7) & 255), 0, 7, 14]
const gifOf = (...images: ReadonlyArray<SampleImage>) => sampleGif({ ...canvas, images })
const row = { width: 20, height: 1, images: [image({ pixels: pixelsOf(20, 4), kept: 0.5 })] }

/** GIFs with an image whose data ends or breaks in the middle of a row. */
export const brokenGifs: ReadonlyArray<readonly [string, Uint8Array]> = [
  ["the only row ends", sampleGif(row)],
  ["the only row ends, of an odd canvas", sampleGif({ ...row, width: 21, height: 1 })],
  ["the data ends", gifOf(image({}))],
  ["the data breaks", gifOf(image({ rest: [255, 255, 255, 255] }))],
  ["the data breaks in the first row", gifOf(image({ kept: 0.05, rest: [255, 255] }))],
  ["the data breaks in blocks of one byte", gifOf(image({ rest: [255, 255, 255], longestBlock: 1 }))],
  ["a transparent colour is there", gifOf(whole, image({}, { transparentIndex: 2 }))],
  ["the transparent colour is beyond the data", gifOf(whole, image({}, { transparentIndex: 9 }))],
  ["a colour is not used", gifOf(whole, image({ pixels: pixelsOf(240, 3) }))],
  ["two colours are all there are", gifOf(whole, image({ codeSize: 1, pixels: pixelsOf(240, 2) }))],
  ["it is interlaced", gifOf(whole, image({}, { isInterlaced: true }))],
  ["it is cleared afterwards", gifOf(whole, image({}, { disposal: 2 }), { ...whole, width: 3, height: 3 })],
  ["it is restored afterwards", gifOf(whole, image({}, { disposal: 3 }), { ...whole, width: 3, height: 3 })],
  ["it hangs over the edge", gifOf(whole, image({}, { left: 5, top: 3 }), whole)],
  ["it is wider than the canvas", gifOf(whole, image({ pixels: pixelsOf(360, 4) }, { width: 30 }), whole)],
  ["many colours, and all are used", gifOf(image({ codeSize: 6, pixels: pixelsOf(240, 64), kept: 0.8 }))],
  [
    "256 colours, of which one is not used",
    sampleGif({
      width: 300,
      height: 1,
      palette: Array.from({ length: 768 }, (_, at) => (at * 7) & 255),
      images: [image({ codeSize: 8, pixels: Array.from({ length: 300 }, (_, x) => x % 255), kept: 0.98 })]
    })
  ],
  [
    "256 colours, which are all used, and two are the same",
    sampleGif({
      width: 300,
      height: 2,
      palette: twice,
      images: [image({ codeSize: 8, pixels: Array.from({ length: 600 }, (_, x) => x & 255), kept: 0.9 })]
    })
  ],
  [
    "256 indexes of an own palette of 128, which are all used",
    sampleGif({
      width: 300,
      height: 2,
      images: [
        image(
          { codeSize: 8, pixels: Array.from({ length: 600 }, (_, x) => x & 255), kept: 0.9 },
          { palette: twice.slice(0, 384) }
        )
      ]
    })
  ],
  [
    "codes of 11 bits, whose lowest 8 bits are all used",
    sampleGif({
      width: 300,
      height: 2,
      palette: twice,
      images: [image({ codeSize: 11, pixels: Array.from({ length: 600 }, (_, x) => x * 3), kept: 0.9 })]
    })
  ],
  [
    "128 colours, which are all used, and a dictionary that is full",
    sampleGif({
      width: 300,
      height: 60,
      palette: [...twice.slice(0, 381), 0, 7, 14],
      images: [image({ codeSize: 7, pixels: pixelsOf(18_000, 128), kept: 0.9 })]
    })
  ]
]
