import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { EncodedVideo } from "../encoding/EncodedVideo.ts"
import type { EncodeFailed } from "../encoding/EncodeFailed.ts"
import type { EngineBroken, EngineHealth, EngineMissing, ProbeEngine } from "../encoding/Engine.ts"
import type { RenderPlan } from "./gif/renderPlan.ts"

/** One video to make. */
export interface EncodeWork<E> {
  /** Name of the scratch folder: job id and lease token, so that two claims of one job never share a folder. */
  readonly name: string
  readonly plan: RenderPlan
  /** The canonical GIF; read completely, once, before the encoding starts. */
  readonly gif: Stream.Stream<Uint8Array, E>
  /** Called from time to time with the progress: above 0, below 1, never decreasing. */
  readonly onProgress: (fraction: number) => Effect.Effect<void>
  readonly maxOutput_bytes: number
}

/** Port: makes the MP4 of a canonical GIF. */
export class GifEncoder extends Context.Service<
  GifEncoder,
  {
    /**
     * Encodes one plan and checks the result.
     *
     * After an interruption no process is left, and after the scope has closed no file. An error of the `gif` stream is
     * returned unchanged.
     */
    readonly encode: <E>(work: EncodeWork<E>) => Effect.Effect<EncodedVideo, EncodeFailed | E, Scope.Scope>
    /**
     * Searches for the program at its first use and caches the result, unless it is missing. Fails also while the last
     * `probe` failed.
     */
    readonly health: Effect.Effect<EngineHealth, EngineMissing | EngineBroken>
    readonly probe: ProbeEngine
  }
>()("@loopbox/core/conversions/GifEncoder") {}
