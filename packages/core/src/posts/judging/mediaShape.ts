import * as Option from "effect/Option"
import type { ReadyMedia } from "../../media/Media.ts"
import type { MediaShape } from "../../networks/publishing/Publication.ts"

const kindOf = (contentType: string): MediaShape["kind"] => {
  if (contentType === "image/gif") return "gif"
  if (contentType.startsWith("image/")) return "image"
  return contentType.startsWith("video/") ? "video" : "other"
}

/** What the rules of a network ask of a file that was examined (`MediaLibrary.examined`). Pure. */
export const mediaShape = (media: ReadyMedia): MediaShape => {
  const { contentType, durationMs, height, id, sizeBytes, traits, width } = media
  return {
    mediaId: id,
    kind: kindOf(contentType),
    contentType,
    sizeBytes,
    width,
    height,
    durationMs,
    frameRate: Option.flatMap(traits, ({ frameRate }) => frameRate),
    frames: Option.flatMap(traits, ({ frames }) => frames),
    videoCodec: Option.flatMap(traits, ({ videoCodec }) => videoCodec),
    audioCodec: Option.flatMap(traits, ({ audioCodec }) => audioCodec)
  }
}
