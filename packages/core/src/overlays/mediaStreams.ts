import * as Option from "effect/Option"
import type { ReadyMedia } from "../media/Media.ts"
import type { MediaTraits } from "../media/MediaTraits.ts"

type File = Pick<ReadyMedia, "contentType" | "traits">

/** The traits of a file of which something is known: neither codec stands where an index could not be read, too. */
const known = ({ traits }: File): MediaTraits | undefined =>
  Option.getOrUndefined(
    Option.filter(traits, ({ audioCodec, videoCodec }) => Option.isSome(videoCodec) || Option.isSome(audioCodec))
  )

/** Whether a file has a moving picture, as far as its record knows; what is unknown is seen when it is worked on. */
export const mayHavePicture = (file: File): boolean => {
  if (!file.contentType.startsWith("video/")) return false
  const traits = known(file)
  return traits === undefined || Option.isSome(traits.videoCodec)
}

/** Likewise, whether it has sound. */
export const mayHaveSound = (file: File): boolean => {
  if (!/^(?:audio|video)\//.test(file.contentType)) return false
  const traits = known(file)
  return traits === undefined || Option.isSome(traits.audioCodec)
}
