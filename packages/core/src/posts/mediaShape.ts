import * as Option from "effect/Option"
import type { ReadyMedia } from "../media/Media.ts"
import type { MediaShape } from "../networks/publishing/Publication.ts"

const kindOf = (contentType: string): MediaShape["kind"] => {
  if (contentType === "image/gif") return "gif"
  if (contentType.startsWith("image/")) return "image"
  return contentType.startsWith("video/") ? "video" : "other"
}

/** What the rules of a network ask of a file. Pure. */
export const mediaShape = ({ contentType, durationMs, height, id, sizeBytes, width }: ReadyMedia): MediaShape => ({
  mediaId: id,
  kind: kindOf(contentType),
  contentType,
  sizeBytes,
  width,
  height,
  durationMs,
  frameRate: Option.none(),
  frames: Option.none(),
  videoCodec: Option.none(),
  audioCodec: Option.none()
})
