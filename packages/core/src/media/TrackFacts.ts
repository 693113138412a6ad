import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { BlobRange } from "./BlobStore.ts"

/** Formats whose tracks a library reads; MP4 and QuickTime are read by our own walk over their boxes. */
export type TrackedFile = "video/webm" | "audio/mpeg" | "audio/wav" | "audio/aac"

/** What a file says of its tracks. */
export interface Tracks {
  /** In milliseconds; `none` if the file does not say it, as one that was recorded live. */
  readonly durationMs: Option.Option<number>
  /** In pixels; `none` without pictures. */
  readonly size: Option.Option<{ readonly width: number; readonly height: number }>
  /** Of WebM the name that Matroska gives it, such as `V_VP9`; `none` without pictures. */
  readonly videoCodec: Option.Option<string>
  /** Likewise, such as `A_OPUS`; of a sound file `mp3`, `pcm` or `aac`. `none` without sound. */
  readonly audioCodec: Option.Option<string>
}

/** Gives the bytes of a part, fewer if the file is shorter. */
export type ReadRange<E> = (range: BlobRange) => Effect.Effect<Uint8Array, E>

/**
 * `none` if the bytes are not such a file, or tell nothing within bounds of work and time. Fails only as `read` fails,
 * for any bytes.
 */
export type TrackReader = <E>(
  contentType: TrackedFile,
  size_bytes: number,
  read: ReadRange<E>
) => Effect.Effect<Option.Option<Tracks>, E>

/**
 * Port: reads the tracks of sound files and of WebM.
 *
 * Without an adapter they are unknown, which limits nothing.
 */
export const TrackFacts = Context.Reference<TrackReader>("@loopbox/core/media/TrackFacts", {
  defaultValue: () => () => Effect.succeedNone
})
