import { gifLimits } from "../GifLimits.ts"
import type { GifFacts } from "./GifFacts.ts"

/**
 * Canvas of the canonical GIF: that of the file, or larger where ffmpeg would otherwise read rows wrongly.
 *
 * ffmpeg shortens an image that is wider than the canvas *before* it reads the pixels, so that every row after the first
 * begins at the wrong pixel; and it counts the rows of an interlaced image that hangs over the bottom wrongly. On a
 * canvas that holds such an image it reads it rightly, and the plan crops the picture to the canvas of the file.
 * Where the larger canvas would break the decode budget the file's own is kept: bounded work comes before a right
 * picture of a file that is wrong itself.
 */
export const canonicalCanvas = (facts: GifFacts): { readonly width: number; readonly height: number } => {
  let { height, width } = facts
  for (const image of facts.images) {
    if (!image.isUsable) continue
    width = Math.max(width, image.width)
    if (image.isInterlaced) height = Math.max(height, image.top + image.height)
  }
  return width * height * facts.images.length > gifLimits.decoded_px
    ? { width: facts.width, height: facts.height }
    : { width, height }
}
