import { canonicalCanvas } from "../../media/gif/canonicalCanvas.ts"
import type { GifFacts } from "../../media/gif/GifFacts.ts"

/** How the canvas is resized. */
export type Resize = "none" | "crop" | "shrink" | "double"

/** The parameters to encode a canonical GIF as MP4 (§8.2, profile universal_mp4_v1). */
export interface RenderPlan {
  /** `#RRGGBB` */
  readonly background: string
  /** Canvas of the GIF. If the canonical canvas is larger (`isCut`), it is cropped to this first. */
  readonly canvas: { readonly width: number; readonly height: number; readonly isCut: boolean }
  /** Size of a picture: even, at most 1920. */
  readonly width: number
  readonly height: number
  readonly resize: Resize
  /** Pictures of the whole video, 30 a second. */
  readonly pictures: number
  /** Whole cycles that the video shows. */
  readonly cycles: number
  /** Time of one cycle; 0 when there is one image only. */
  readonly cycle_cs: number
  /**
   * The encoded part: `cycles` cycles as `pictures` pictures. With `isRepeated` it ends exactly on a picture, and the
   * video repeats it up to the plan's `pictures`.
   */
  readonly unit: { readonly cycles: number; readonly pictures: number; readonly isRepeated: boolean }
  /** Duration of the video, which may differ from its cycles by half a picture. */
  readonly duration_ms: number
}

const longestSide_px = 1920
const shortest_cs = 500
const staticPictures = 150

const even = (side: number): number => Math.max(2, side - (side % 2))

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b))

const sizeOf = (width: number, height: number): Pick<RenderPlan, "width" | "height" | "resize"> => {
  const longest = Math.max(width, height)
  const shrunk = longest > longestSide_px
  // Multiplies first, because 1920 × side is exact and the quotient is not.
  const scaled = (side: number): number => even(shrunk ? Math.floor((side * longestSide_px) / longest) : side)
  const size = { width: scaled(width), height: scaled(height) }
  if (shrunk) return { ...size, resize: "shrink" }
  if (size.width === width && size.height === height) return { ...size, resize: "none" }
  return { ...size, resize: width === 1 || height === 1 ? "double" : "crop" }
}

type Timing = Pick<RenderPlan, "pictures" | "cycles" | "cycle_cs" | "unit" | "duration_ms">

const staticTiming: Timing = {
  pictures: staticPictures,
  cycles: 1,
  cycle_cs: 0,
  unit: { cycles: 1, pictures: staticPictures, isRepeated: false },
  duration_ms: shortest_cs * 10
}

const animatedTiming = (cycle_cs: number): Timing => {
  const cycles = Math.max(1, Math.ceil(shortest_cs / cycle_cs))
  const pictures = Math.floor((cycles * cycle_cs * 30 + 50) / 100)
  // The fewest cycles that end on a 1/30 s boundary.
  const exact = 10 / greatestCommonDivisor(cycle_cs, 10)
  const unit =
    cycles > exact
      ? { cycles: exact, pictures: (exact * cycle_cs * 30) / 100, isRepeated: true }
      : { cycles, pictures, isRepeated: false }
  return { pictures, cycles, cycle_cs, unit, duration_ms: Math.round((pictures * 1000) / 30) }
}

/**
 * Plans the video of a GIF: integers only, no effect.
 *
 * @param background `#RRGGBB`
 */
export const renderPlan = (facts: GifFacts, background: string): RenderPlan => {
  const canonical = canonicalCanvas(facts)
  return {
    background,
    canvas: {
      width: facts.width,
      height: facts.height,
      isCut: canonical.width > facts.width || canonical.height > facts.height
    },
    ...sizeOf(facts.width, facts.height),
    ...(facts.images.length === 1 ? staticTiming : animatedTiming(facts.cycle_cs))
  }
}
