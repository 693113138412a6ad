import * as Schema from "effect/Schema"
import { MediaId } from "../kernel/Ids.ts"

/** No media was named. */
export class GifMediaRequired extends Schema.TaggedError<GifMediaRequired>()("GifMediaRequired", {}) {}

/** The background is not `#RRGGBB`. */
export class InvalidBackgroundColor extends Schema.TaggedError<InvalidBackgroundColor>()("InvalidBackgroundColor", {
  given: Schema.String
}) {}

/** The media is not a GIF. */
export class NotAGif extends Schema.TaggedError<NotAGif>()("NotAGif", {
  mediaId: MediaId,
  contentType: Schema.String
}) {}

/** The GIF is over 50 MB. */
export class GifTooLarge extends Schema.TaggedError<GifTooLarge>()("GifTooLarge", {
  sizeBytes: Schema.Int,
  limitBytes: Schema.Int
}) {}
