/** The limits of a GIF (§8.2), as pure checks of scan results. */

/** Limits of §8.2; each is the largest allowed value. */
export const gifLimits = {
  /** 50 MB of upload. Checked when a job is created, before any scan. */
  size_bytes: 52_428_800,
  /** Longest side of the canvas and of every image rectangle. */
  side_px: 4096,
  frames: 2000,
  /** Sum over the images of the greater of canvas area and image area; or all on the canonical canvas, where that is more. */
  decoded_px: 1_500_000_000,
  /** One cycle of an animation; a single image has no cycle. */
  cycle_cs: 6000,
  /** 4 GB of MP4. */
  output_bytes: 4_294_967_296
} as const

/** The measured values of one GIF. */
export interface GifMeasure {
  readonly longestSide_px: number
  readonly frames: number
  readonly decoded_px: number
  readonly cycle_cs: number
}

/** Terminal codes of §7.3 that a limit can give. */
export type GifLimitCode =
  | "gif_dimensions_exceeded"
  | "gif_frame_count_exceeded"
  | "gif_decode_budget_exceeded"
  | "gif_duration_exceeded"

/** The first exceeded limit, in this fixed order; undefined if there is none. */
export const exceededLimit = (gif: GifMeasure): GifLimitCode | undefined => {
  if (gif.longestSide_px > gifLimits.side_px) return "gif_dimensions_exceeded"
  if (gif.frames > gifLimits.frames) return "gif_frame_count_exceeded"
  if (gif.decoded_px > gifLimits.decoded_px) return "gif_decode_budget_exceeded"
  if (gif.frames > 1 && gif.cycle_cs > gifLimits.cycle_cs) return "gif_duration_exceeded"
  return undefined
}

/** Whether an upload of this size may become a job. */
export const isGifSizeAllowed = (size_bytes: number): boolean => size_bytes <= gifLimits.size_bytes
