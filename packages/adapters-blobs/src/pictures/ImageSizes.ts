import { type PictureSizer, PictureSizes, type SizedPicture } from "@loopbox/core/media/PictureSizes"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { IImage } from "image-size/types/interface"
import { JPG } from "image-size/types/jpg"
import { PNG } from "image-size/types/png"
import { WEBP } from "image-size/types/webp"

/** The readers of these formats alone: the type of a file is known, and no other format is looked for. */
const readers: Record<SizedPicture, IImage> = { "image/jpeg": JPG, "image/png": PNG, "image/webp": WEBP }

/** From this value on, Exif's orientation turns the picture by 90 degrees. */
const turned = 5

const isSide = (value: number) => Number.isInteger(value) && value > 0

const read = Option.liftThrowable((contentType: SizedPicture, head: Uint8Array) =>
  readers[contentType].validate(head) ? readers[contentType].calculate(head) : undefined
)

/** Sizes of pictures by the library `image-size`, which throws where there is none. */
const sizeOf: PictureSizer = (contentType, head) =>
  read(contentType, head).pipe(
    Option.flatMap(Option.fromUndefinedOr),
    Option.filter(({ height, width }) => isSide(height) && isSide(width)),
    Option.map(({ height, orientation = 1, width }) =>
      orientation >= turned ? { width: height, height: width } : { width, height }
    )
  )

export const layer: Layer.Layer<never> = Layer.succeed(PictureSizes, sizeOf)
