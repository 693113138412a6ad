import * as Context from "effect/Context"
import * as Option from "effect/Option"

/** In pixels, as the picture is shown: after the rotation that a camera noted. */
export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** Formats whose size lies in their first bytes, in many forms. */
export type SizedPicture = "image/jpeg" | "image/png" | "image/webp"

/** How many first bytes of a picture are given: what a camera writes before the size is seldom longer. */
export const pictureHead_bytes = 512 * 1024

/** `none` if the size is not in the first bytes. Never throws, for any bytes, and takes time linear in their number. */
export type PictureSizer = (contentType: SizedPicture, head: Uint8Array) => Option.Option<PictureSize>

/**
 * Port: reads the size of a picture from its first `pictureHead_bytes`.
 *
 * Without an adapter no size is known, which limits nothing.
 */
export const PictureSizes = Context.Reference<PictureSizer>("@loopbox/core/media/PictureSizes", {
  defaultValue: () => () => Option.none()
})
