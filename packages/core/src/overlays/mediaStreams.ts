import * as Option from "effect/Option"
import type { ReadyMedia } from "../media/Media.ts"
import type { MediaTraits } from "../media/MediaTraits.ts"

type File = Pick<ReadyMedia, "contentType" | "traits">

/** Formats that are read at the upload without a library: what they do not say they do not have. */
const isAlwaysRead = (contentType: string) => contentType.endsWith("/mp4") || contentType === "video/quicktime"

/** The traits of a file of which something is known. */
const known = ({ contentType, traits }: File): MediaTraits | undefined => {
  const found = Option.getOrUndefined(traits)
  if (found === undefined || isAlwaysRead(contentType)) return found
  return Option.isNone(found.videoCodec) && Option.isNone(found.audioCodec) ? undefined : found
}

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
