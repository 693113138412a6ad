/**
 * What a GIF may be (§8.2), as pure checks over the facts of a scan.
 */

/** Limits of §8.2. Each is the greatest value that still passes. */
export const gifLimits = {
  /** 50 MB of upload. Judged when a job is created, before any scan. */
  size_bytes: 52_428_800,
  /** Longest side of the canvas and of every image rectangle. */
  side_px: 4096,
  frames: 2000,
  /** Sum over the images of the greater of canvas area and image area. */
  decoded_px: 1_500_000_000,
  /** One cycle of an animation; a single image has no cycle. */
  cycle_cs: 6000,
  /** 4 GB of MP4. */
  output_bytes: 4_294_967_296
} as const

/** Numbers of one GIF that the limits are about. */
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

/** The first limit that the GIF passes, in the order in which they are told; undefined when it keeps all. */
export const exceededLimit = (gif: GifMeasure): GifLimitCode | undefined => {
  if (gif.longestSide_px > gifLimits.side_px) return "gif_dimensions_exceeded"
  if (gif.frames > gifLimits.frames) return "gif_frame_count_exceeded"
  if (gif.decoded_px > gifLimits.decoded_px) return "gif_decode_budget_exceeded"
  if (gif.frames > 1 && gif.cycle_cs > gifLimits.cycle_cs) return "gif_duration_exceeded"
  return undefined
}

/** Whether an upload of this size may become a job. */
export const isGifSizeAllowed = (size_bytes: number): boolean => size_bytes <= gifLimits.size_bytes
