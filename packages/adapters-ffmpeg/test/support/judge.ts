import type { RenderPlan } from "@loopbox/core/conversions/gif/renderPlan"
import { picturesOf } from "./convert.ts"
import type { StoredPicture } from "./convert.ts"
import { playGif } from "./referenceGif.ts"
import type { ReferenceFrame, ReferenceGif } from "./referenceGif.ts"

/** Places at which a picture is not what it should be, in words. Empty is good. */
export type Complaints = ReadonlyArray<string>

const rgbOf = (background: string): readonly [number, number, number] => {
  const rgb = Number.parseInt(background.slice(1), 16)
  return [rgb >> 16, (rgb >> 8) & 255, rgb & 255]
}

/** The canvas point that a picture's point shows. */
const sourceOf = (plan: RenderPlan, x: number, y: number): readonly [number, number] => {
  const { canvas, height, resize, width } = plan
  if (resize === "none" || resize === "crop") return [x, y]
  if (resize === "double") return [Math.min(x, canvas.width - 1), Math.min(y, canvas.height - 1)]
  return [
    Math.min(canvas.width - 1, Math.floor(((x + 0.5) * canvas.width) / width)),
    Math.min(canvas.height - 1, Math.floor(((y + 0.5) * canvas.height) / height))
  ]
}

/** Whether anything is drawn within `reach` pixels of a point. */
const isNear = (drawn: Uint8Array, width: number, height: number, reach: number): Uint8Array => {
  const rows = new Uint8Array(drawn.length)
  const near = new Uint8Array(drawn.length)
  for (let y = 0; y < height; y++) {
    let last = -Infinity
    for (let x = 0; x < width; x++) {
      if (drawn[y * width + x] === 1) last = x
      if (x - last <= reach) rows[y * width + x] = 1
    }
    last = Infinity
    for (let x = width - 1; x >= 0; x--) {
      if (drawn[y * width + x] === 1) last = x
      if (last - x <= reach) rows[y * width + x] = 1
    }
  }
  for (let x = 0; x < width; x++) {
    let last = -Infinity
    for (let y = 0; y < height; y++) {
      if (rows[y * width + x] === 1) last = y
      if (y - last <= reach) near[y * width + x] = 1
    }
    last = Infinity
    for (let y = height - 1; y >= 0; y--) {
      if (rows[y * width + x] === 1) last = y
      if (last - y <= reach) near[y * width + x] = 1
    }
  }
  return near
}

/** The frame over the background as it should be stored, and which points are near to what is drawn. */
const flatten = (gif: ReferenceGif, frame: ReferenceFrame, plan: RenderPlan) => {
  const { height, width } = plan
  const drawn = new Uint8Array(width * height)
  const y = new Float32Array(width * height)
  const u = new Float32Array((width * height) / 4)
  const v = new Float32Array((width * height) / 4)
  const colour = rgbOf(plan.background)
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const [sx, sy] = sourceOf(plan, column, row)
      const from = (sy * gif.width + sx) * 4
      const to = row * width + column
      const isDrawn = frame.rgba[from + 3] === 255
      drawn[to] = isDrawn ? 1 : 0
      const [r, g, b] = isDrawn ? [frame.rgba[from] ?? 0, frame.rgba[from + 1] ?? 0, frame.rgba[from + 2] ?? 0] : colour
      const luma = 0.2126 * r + 0.7152 * g + 0.0722 * b
      y[to] = 16 + (luma * 219) / 255
      const half = (row >> 1) * (width / 2) + (column >> 1)
      u[half] = (u[half] ?? 0) + (128 + ((b - luma) / 1.8556 / 255) * 224) / 4
      v[half] = (v[half] ?? 0) + (128 + ((r - luma) / 1.5748 / 255) * 224) / 4
    }
  }
  return { y, u, v, near: isNear(drawn, width, height, 8) }
}

type Wanted = ReturnType<typeof flatten>

const farFrom = (value: number, shown: number): number => Math.abs(Math.min(255, Math.max(0, shown)) - value)

/** How far a picture's point is from a colour, in the channel that is farthest. Nothing is allocated: it is asked for each. */
const differenceAt = (
  picture: StoredPicture,
  width: number,
  at: number,
  of: readonly [number, number, number]
): number => {
  const half = (Math.floor(at / width) >> 1) * (width / 2) + ((at % width) >> 1)
  const luma = (((picture.y[at] ?? 0) - 16) * 255) / 219
  const r = luma + ((((picture.v[half] ?? 0) - 128) * 255) / 224) * 1.5748
  const b = luma + ((((picture.u[half] ?? 0) - 128) * 255) / 224) * 1.8556
  const g = (luma - 0.2126 * r - 0.0722 * b) / 0.7152
  return Math.max(farFrom(of[0], r), farFrom(of[1], g), farFrom(of[2], b))
}

const meanDifference = (a: Float32Array, b: Uint8Array): number => {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += Math.abs((a[at] ?? 0) - (b[at] ?? 0))
  return sum / Math.max(1, a.length)
}

/** Frames that may stand at a picture: those within half a picture of its time. */
const framesAt = (gif: ReferenceGif, picture: number): ReadonlyArray<ReferenceFrame> => {
  const [only] = gif.frames
  if (gif.frames.length === 1 && only !== undefined) return [only]
  return gif.frames.filter((frame) =>
    [-1.7, 0, 1.7].some((off) => {
      const time = ((((picture * 100) / 30 + off) % gif.cycle_cs) + gif.cycle_cs) % gif.cycle_cs
      return frame.start_cs <= time && time < frame.end_cs
    })
  )
}

/** Up to `count` picture numbers: the ends, and a spread between. */
const spread = (pictures: number, count: number): ReadonlyArray<number> => [
  ...new Set(Array.from({ length: count }, (_, index) => Math.floor((index * (pictures - 1)) / Math.max(1, count - 1))))
]

interface Tolerances {
  /** Mean of the luma differences. */
  readonly meanTolerance?: number
  /** Of any channel of the background, 8 px away from what is drawn. */
  readonly backgroundTolerance?: number
}

const judgePicture = (
  wanted: Wanted,
  picture: StoredPicture,
  plan: RenderPlan,
  tolerances: Tolerances
): ReadonlyArray<string> => {
  const complaints: Array<string> = []
  const mean = meanDifference(wanted.y, picture.y)
  if (mean > (tolerances.meanTolerance ?? 5)) complaints.push(`off by ${mean.toFixed(1)} on average`)
  const background = rgbOf(plan.background)
  let worst = 0
  for (let at = 0; at < wanted.near.length; at++) {
    if (wanted.near[at] === 0) worst = Math.max(worst, differenceAt(picture, plan.width, at, background))
  }
  if (worst > (tolerances.backgroundTolerance ?? 6)) complaints.push(`background off by ${worst.toFixed(1)}`)
  return complaints
}

/** Compares a video with what a browser would show of the GIF over the background. */
export const judgePictures = async (
  bytes: Uint8Array,
  path: string,
  plan: RenderPlan,
  settings: Tolerances & { readonly count?: number; readonly pictures?: ReadonlyArray<number> } = {}
): Promise<Complaints> => {
  const gif = playGif(bytes)
  const numbers = settings.pictures ?? spread(plan.pictures, settings.count ?? 9)
  const shown = await picturesOf(path, plan, numbers)
  const complaints: Array<string> = []
  // A frame often stands for several pictures in a row.
  let known: ReadonlyMap<ReferenceFrame, Wanted> = new Map()
  for (const [index, picture] of shown.entries()) {
    const number = numbers[index] ?? 0
    const frames = framesAt(gif, number)
    const wanted = new Map(frames.map((frame) => [frame, known.get(frame) ?? flatten(gif, frame, plan)]))
    known = wanted
    // Two frames may meet within a picture: it has to be one of them.
    const verdicts = [...wanted.values()].map((one) => judgePicture(one, picture, plan, settings))
    const best = verdicts.toSorted((a, b) => a.length - b.length)[0] ?? ["no frame at its time"]
    complaints.push(...best.map((complaint) => `picture ${number}: ${complaint}`))
  }
  return complaints
}
