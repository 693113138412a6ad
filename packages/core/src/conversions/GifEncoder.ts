import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { RenderPlan } from "./gif/renderPlan.ts"

/** One video to make. */
export interface EncodeWork<E> {
  /** Names the work's scratch folder: job id and lease token, so that two claims of one job never meet. */
  readonly name: string
  readonly plan: RenderPlan
  /** The canonical GIF. Read once, to its end, before anything is encoded. */
  readonly gif: Stream.Stream<Uint8Array, E>
  /** Told from time to time how much is done: over 0, under 1, never less than before. Success itself is the 1. */
  readonly onProgress: (fraction: number) => Effect.Effect<void>
  readonly maxOutput_bytes: number
}

/** A part of a file. Without a length it goes to the end. */
export interface ByteRange {
  readonly offset: number
  readonly length?: number | undefined
}

/** A made and checked video. It lives until the scope of its encoding closes. */
export interface EncodedVideo {
  readonly size_bytes: number
  /** A local file that its user may take over by renaming it; undefined when the video is elsewhere. */
  readonly path: string | undefined
  readonly bytes: (range?: ByteRange) => Stream.Stream<Uint8Array, EncodeFailed>
}

/** No video came out. `reason` decides the terminal code (§7.3). */
export class EncodeFailed extends Schema.TaggedError<EncodeFailed>()("EncodeFailed", {
  /**
   * - `Undecodable`: not one picture could be read: `gif_decode_failed`
   * - `OutputTooLarge`: over `maxOutput_bytes`: `output_size_exceeded`
   * - `Rejected`: failed after a first picture, or the video is not as planned: `gif_conversion_failed`, not retryable
   * - `MachineFailed`: no engine, killed, disk full: `gif_conversion_failed`, retryable
   */
  reason: Schema.Literals(["Undecodable", "OutputTooLarge", "Rejected", "MachineFailed"]),
  /** For logs only; never shown to a customer. */
  detail: Schema.String
}) {}

/** There is no program that can encode. `detail` says what was looked for and how to get one. */
export class EngineMissing extends Schema.TaggedError<EngineMissing>()("EngineMissing", { detail: Schema.String }) {}

/** Where the engine comes from. */
export interface EngineHealth {
  readonly path: string
  readonly version: string
  /** Which of the places to look gave it. */
  readonly source: string
  /** What an operator should know, in whole sentences. */
  readonly warnings: ReadonlyArray<string>
}

/** Port: makes the MP4 of a canonical GIF. */
export class GifEncoder extends Context.Service<
  GifEncoder,
  {
    /**
     * Encodes one plan and checks the result.
     *
     * Interruption ends the work for good: when the effect has ended, no process and, when the scope has closed, no file
     * of it is left. A failing `gif` stream surfaces as its own error.
     */
    readonly encode: <E>(work: EncodeWork<E>) => Effect.Effect<EncodedVideo, EncodeFailed | E, Scope.Scope>
    /** Looks for the engine at its first use and then remembers it; a missing one is looked for again. */
    readonly health: Effect.Effect<EngineHealth, EngineMissing>
  }
>()("@loopbox/core/conversions/GifEncoder") {}
