import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
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

/** The encoding failed. `reason` decides the terminal code (§7.3). */
export class EncodeFailed extends Schema.TaggedError<EncodeFailed>()("EncodeFailed", {
  /**
   * - `Undecodable`: no picture could be decoded: `gif_decode_failed`
   * - `OutputTooLarge`: over `maxOutput_bytes`: `output_size_exceeded`
   * - `Rejected`: failed after a first picture, or the video is not as planned: `gif_conversion_failed`, not retryable
   * - `MachineFailed`: no engine, killed, disk full: `gif_conversion_failed`, retryable
   */
  reason: Schema.Literals(["Undecodable", "OutputTooLarge", "Rejected", "MachineFailed"]),
  /** For logs only; never shown to a customer. */
  detail: Schema.String
}) {}

/** No program that can encode was found. `detail` says where it was searched and how to install one. */
export class EngineMissing extends Schema.TaggedError<EngineMissing>()("EngineMissing", { detail: Schema.String }) {}

/** The encoder program that is in use. */
export interface EngineHealth {
  readonly path: string
  readonly version: string
  /** Where it was found. */
  readonly source: string
  /** Warnings for the operator, in whole sentences. */
  readonly warnings: ReadonlyArray<string>
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
    /** Searches for the program at its first use and caches the result, unless it is missing. */
    readonly health: Effect.Effect<EngineHealth, EngineMissing>
  }
>()("@loopbox/core/conversions/GifEncoder") {}
