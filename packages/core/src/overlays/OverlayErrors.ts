import * as Schema from "effect/Schema"
import { MediaId } from "../kernel/Ids.ts"

/** No video was named. */
export class VideoMediaRequired extends Schema.TaggedError<VideoMediaRequired>()("VideoMediaRequired", {}) {}

/** No sound was named. */
export class AudioMediaRequired extends Schema.TaggedError<AudioMediaRequired>()("AudioMediaRequired", {}) {}

/** The file that should be the video has no picture. */
export class VideoStreamRequired extends Schema.TaggedError<VideoStreamRequired>()("VideoStreamRequired", {
  mediaId: MediaId,
  contentType: Schema.String
}) {}

/** The file that should be the sound has none. */
export class AudioStreamRequired extends Schema.TaggedError<AudioStreamRequired>()("AudioStreamRequired", {
  mediaId: MediaId,
  contentType: Schema.String
}) {}

/** A file is larger or longer than an overlay may read. */
export class OverlayInputTooLarge extends Schema.TaggedError<OverlayInputTooLarge>()("OverlayInputTooLarge", {
  mediaId: MediaId,
  /** What it is too much of. */
  measure: Schema.Literals(["video_bytes", "video_ms", "audio_bytes"]),
  actual: Schema.Int,
  limit: Schema.Int
}) {}

/** The sound is to begin where its file has ended already. */
export class AudioStartBeyondEnd extends Schema.TaggedError<AudioStartBeyondEnd>()("AudioStartBeyondEnd", {
  audioStartMs: Schema.Int,
  durationMs: Schema.Int
}) {}
