import type * as Stream from "effect/Stream"
import type { EncodeFailed } from "./EncodeFailed.ts"

/** A part of a file; without a length, up to the end. */
export interface ByteRange {
  readonly offset: number
  readonly length?: number | undefined
}

/** An encoded and checked video. It is deleted when the scope of its encoding closes. */
export interface EncodedVideo {
  readonly size_bytes: number
  /** A local file that the caller may move away by renaming it; undefined if the video is not a local file. */
  readonly path: string | undefined
  readonly bytes: (range?: ByteRange) => Stream.Stream<Uint8Array, EncodeFailed>
}
