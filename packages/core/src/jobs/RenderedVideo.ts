import type * as Option from "effect/Option"
import type * as Stream from "effect/Stream"
import type { MediaTraits } from "../media/MediaTraits.ts"

/** The video that a job made, and what its record says of it. It exists until the scope of its rendering closes. */
export interface RenderedVideo {
  readonly video: {
    /** A local file that may be moved away by renaming it; undefined if the video is not a local file. */
    readonly path: string | undefined
    readonly bytes: () => Stream.Stream<Uint8Array, { readonly _tag: string }>
  }
  readonly filename: Option.Option<string>
  readonly width: number
  readonly height: number
  readonly durationMs: number
  readonly traits: MediaTraits
}
