import { animatedGif, noise, sampleGif } from "@loopbox/testing/fakes/gifSamples"
import type { SampleImage } from "@loopbox/testing/fakes/gifSamples"

/** GIFs at which decoders differ, or that are wrong themselves. */
export interface HostileGif {
  readonly name: string
  readonly gif: () => Uint8Array
  /** Where a mean luma difference of 5 is too strict for so few pixels. */
  readonly meanTolerance?: number
}

const canvas = { width: 64, height: 64 }
const square: SampleImage = { left: 16, top: 16, width: 16, height: 16, delay_cs: 40 }

/** A palette of 256 colours, all different. */
const rainbow = Array.from({ length: 256 }, (_, index) => [index, 255 - index, (index * 7) & 255]).flat()

/** Bars 8 pixels wide, so that a row that is shifted shows. */
const bars = (x: number, y: number): number => ((x >> 3) + (y >> 4)) % 4

export const hostileGifs: ReadonlyArray<HostileGif> = [
  { name: "a first image smaller than the canvas", gif: () => sampleGif({ ...canvas, images: [square] }) },
  {
    name: "cleared to the background without a transparent colour",
    gif: () =>
      sampleGif({
        ...canvas,
        backgroundIndex: 2,
        images: [
          { ...square, disposal: 2 },
          { ...square, left: 44 }
        ]
      })
  },
  {
    name: "cleared to the background with a transparent colour",
    gif: () =>
      sampleGif({
        ...canvas,
        images: [
          { ...square, disposal: 2, transparentIndex: 3 },
          { ...square, left: 44 }
        ]
      })
  },
  {
    name: "restored to what was there before, also after the first image",
    gif: () => {
      const images = [3, 3, 1, 3].map((disposal, index) => ({ ...square, left: index * 12, top: index * 12, disposal }))
      return sampleGif({ ...canvas, images })
    }
  },
  {
    name: "disposal 4 to 7",
    gif: () =>
      sampleGif({
        ...canvas,
        images: [4, 5, 6, 7].map((disposal, index) => ({ ...square, left: index * 12, disposal }))
      })
  },
  {
    name: "an image wider than the canvas",
    gif: () => sampleGif({ ...canvas, images: [{ delay_cs: 40, width: 80, pixel: bars }, square] })
  },
  {
    name: "an interlaced image over the bottom of the canvas",
    gif: () =>
      sampleGif({ ...canvas, images: [{ delay_cs: 40, top: 10, height: 77, isInterlaced: true, pixel: bars }] })
  },
  {
    name: "an interlaced image over the right and bottom edges, cleared",
    gif: () =>
      sampleGif({
        ...canvas,
        images: [
          { delay_cs: 40, left: 30, top: 30, width: 50, height: 50, isInterlaced: true, pixel: bars, disposal: 2 },
          { ...square, left: 0, top: 0 }
        ]
      })
  },
  {
    name: "interlaced images of 1 to 9 rows",
    gif: () =>
      sampleGif({
        width: 64,
        height: 48,
        images: Array.from({ length: 9 }, (_, index) => ({
          top: index * 4,
          height: index + 1,
          delay_cs: 20,
          isInterlaced: true,
          pixel: bars
        }))
      })
  },
  {
    name: "an image wholly outside, between two others",
    gif: () => sampleGif({ ...canvas, images: [{ delay_cs: 40 }, { ...square, left: 64, disposal: 2 }, square] })
  },
  {
    name: "a first image that cannot be decoded",
    gif: () => sampleGif({ ...canvas, images: [{ delay_cs: 40, data: Uint8Array.of(2, 1, 5, 0) }, square] })
  },
  {
    name: "an image without area over a drawn pixel",
    gif: () => sampleGif({ ...canvas, images: [{ delay_cs: 40 }, { ...square, width: 0, disposal: 2 }, square] })
  },
  {
    name: "indexes beyond a short palette, after a long one",
    gif: () =>
      sampleGif({
        ...canvas,
        images: [
          { delay_cs: 40, palette: rainbow, pixel: (x) => x * 4 },
          { ...square, palette: [255, 0, 0, 0, 255, 0], codeSize: 8, pixel: (x) => (x < 8 ? 1 : 200) }
        ]
      })
  },
  {
    name: "no palette at all",
    gif: () =>
      sampleGif({
        ...canvas,
        palette: [],
        images: [
          { ...square, pixel: bars },
          { ...square, left: 40 }
        ]
      })
  },
  {
    name: "a transparent colour beyond the palette",
    gif: () =>
      sampleGif({
        ...canvas,
        images: [
          { ...square, transparentIndex: 250 },
          { ...square, left: 40, transparentIndex: 1 }
        ]
      })
  },
  {
    name: "a palette of 256 for every image, next to the global one",
    gif: () =>
      sampleGif({
        ...canvas,
        images: [
          { delay_cs: 30, palette: rainbow, pixel: (x, y) => x + y * 3 },
          { delay_cs: 30, transparentIndex: 0, pixel: bars },
          { delay_cs: 30, palette: rainbow.toReversed(), transparentIndex: 7, pixel: (x, y) => (x * 2 + y) & 255 }
        ]
      })
  },
  { name: "delays of 0, 1 and 2 cs in one cycle", gif: () => animatedGif([0, 1, 2, 0, 7]) },
  { name: "images of 2 cs only, faster than the video", gif: () => animatedGif(Array.from({ length: 40 }, () => 2)) },
  { name: "a cycle of 3.33 s", gif: () => animatedGif([111, 111, 111]) },
  { name: "one column", gif: () => animatedGif([30, 30], { width: 1, height: 21 }) },
  { name: "one row", gif: () => animatedGif([30, 30], { width: 21, height: 1 }) },
  { name: "one pixel", gif: () => animatedGif([30, 30], { width: 1, height: 1 }) },
  {
    name: "data that ends in the middle of the image",
    gif: () => {
      const whole = sampleGif({ ...canvas, images: [{ height: 32, pixel: bars }] })
      // Behind header, control and descriptor: the data of the upper half, as the data of the whole image.
      return sampleGif({ ...canvas, images: [{ data: whole.subarray(13 + 12 + 8 + 10, -1) }] })
    }
  },
  {
    name: "noise, full dictionary, many sub-blocks",
    gif: () => {
      const grain = noise(11)
      return sampleGif({ width: 128, height: 128, palette: rainbow, images: [{ pixel: () => grain() & 252 }] })
    },
    meanTolerance: 12
  },
  {
    name: "2,000 images",
    gif: () =>
      animatedGif(
        Array.from({ length: 2000 }, () => 3),
        { width: 16, height: 16 }
      )
  }
]
