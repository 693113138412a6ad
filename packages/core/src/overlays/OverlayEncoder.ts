import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { EncodedVideo } from "../encoding/EncodedVideo.ts"
import type { EncodeFailed } from "../encoding/EncodeFailed.ts"
import type { ProbeEngine } from "../encoding/Engine.ts"
import type { ContentType } from "../media/ContentType.ts"
import type { OverlaySettings } from "./OverlaySettings.ts"

/** A stored file. */
export interface OverlaySource<E> {
  /** Decides which format the bytes are read as; no other is tried. */
  readonly contentType: ContentType
  /** Read completely, once. */
  readonly bytes: Stream.Stream<Uint8Array, E>
}

/** One video to make. */
export interface OverlayWork<E> {
  /** Name of the scratch folder: job id and lease token, so that two claims of one job never share a folder. */
  readonly name: string
  readonly settings: OverlaySettings
  readonly video: OverlaySource<E>
  /** A file with sound; it may be a video, whose pictures are not used. */
  readonly audio: OverlaySource<E>
  /** Called from time to time with the progress: above 0, below 1, never decreasing. */
  readonly onProgress: (fraction: number) => Effect.Effect<void>
  readonly maxOutput_bytes: number
}

/** The video with its new sound: an MP4, H.264 and AAC. */
export interface OverlaidVideo extends EncodedVideo {
  /** In pixels, as it is shown. */
  readonly width: number
  readonly height: number
  readonly duration_ms: number
}

/** Port: lays a sound over a video. */
export class OverlayEncoder extends Context.Service<
  OverlayEncoder,
  {
    /**
     * Lays the sound over the video and checks the result. The facts of both files are read from their bytes.
     *
     * After an interruption no process is left, and after the scope has closed no file. An error of a source's stream is
     * returned unchanged.
     */
    readonly encode: <E>(work: OverlayWork<E>) => Effect.Effect<OverlaidVideo, EncodeFailed | E, Scope.Scope>
    readonly probe: ProbeEngine
  }
>()("@loopbox/core/overlays/OverlayEncoder") {}
