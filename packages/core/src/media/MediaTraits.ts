import * as Schema from "effect/Schema"

/** What the bytes of a whole file say besides its size in pixels and its length. `none` if they do not say it. */
export const MediaTraits = Schema.Struct({
  /** Frames a second on average, of a video. */
  frameRate: Schema.Option(Schema.Number),
  /** Complete images of a GIF; one more than the limit of conversions if there are more. */
  frames: Schema.Option(Schema.Int),
  /** Four letters, as MP4 and QuickTime files name it: `avc1`, `hvc1`. Of WebM the name in Matroska: `V_VP9`. */
  videoCodec: Schema.Option(Schema.String),
  /** Likewise, of the sound: `mp4a`, `A_OPUS`. `none` also if there is no sound. */
  audioCodec: Schema.Option(Schema.String)
})
export type MediaTraits = typeof MediaTraits.Type
