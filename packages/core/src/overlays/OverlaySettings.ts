import * as Schema from "effect/Schema"

/** Share of the loudness in percent: 100 leaves the sound as it is, 0 is silence. */
export const Volume = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 }))

/** How a sound is laid over a video (section 12). */
export const OverlaySettings = Schema.Struct({
  /** `mix` adds the sound to the video's own, `replace` drops the video's own. */
  mode: Schema.Literals(["mix", "replace"]),
  videoVolume: Volume,
  audioVolume: Volume,
  /** Where in the audio file the laid sound begins; below the file's length. */
  audioStartMs: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
  /** What follows a sound that is shorter than the video: silence, or the audio file again from its beginning. */
  fit: Schema.Literals(["trim_to_video", "loop_to_video"])
})
export type OverlaySettings = typeof OverlaySettings.Type
