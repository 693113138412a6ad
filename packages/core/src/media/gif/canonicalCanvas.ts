import type { GifFacts } from "./GifFacts.ts"

/** A width and a height. */
export interface Size {
  readonly width: number
  readonly height: number
}

/**
 * Canvas of the canonical GIF: that of the file, or larger where ffmpeg would otherwise read rows wrongly.
 *
 * ffmpeg cuts an image that is wider than the canvas *before* it reads the pixels, so that every row after the first
 * starts at the wrong pixel. It also counts the rows wrongly of an interlaced image that extends below the canvas. On a
 * canvas that contains such an image it reads the image correctly, and the plan crops the picture to the canvas of the
 * file. The decode budget counts the larger canvas.
 */
export const canonicalCanvas = (gif: Size & Pick<GifFacts, "images">): Size => {
  let { height, width } = gif
  for (const image of gif.images) {
    if (!image.isUsable) continue
    width = Math.max(width, image.width)
    if (image.isInterlaced) height = Math.max(height, image.top + image.height)
  }
  return { width, height }
}
