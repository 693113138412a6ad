import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { GifEncoder } from "@loopbox/core/conversions/GifEncoder"
import { EncodeFailed } from "@loopbox/core/encoding/EncodeFailed"
import type { EncodeWork } from "@loopbox/core/conversions/GifEncoder"
import type { EncodedVideo } from "@loopbox/core/encoding/EncodedVideo"
import type { EngineMissing, ProbeEngine } from "@loopbox/core/encoding/Engine"
import { checkVideo } from "@loopbox/core/conversions/mp4/checkVideo"
import { readMp4 } from "@loopbox/core/conversions/mp4/readMp4"
import { tinyMp4 } from "./tinyMp4.ts"

/** What one encoding does. */
export type EncodeScript =
  | {
      readonly kind: "succeed"
      /** Size of the video's media data. */
      readonly samples_bytes?: number
      /** Reported in this order before the end; default [0.5]. */
      readonly progress?: ReadonlyArray<number>
      /** Awaited after the GIF was read and the progress was reported. */
      readonly gate?: Effect.Effect<void>
    }
  | { readonly kind: "fail"; readonly reason: EncodeFailed["reason"] }
  /** Reads the GIF and then never ends. */
  | { readonly kind: "hang" }

export interface FakeEncoderOptions {
  /** Chooses what an encoding does. Default: it succeeds. */
  readonly script?: (work: Pick<EncodeWork<never>, "name" | "plan">) => EncodeScript
  /** Makes `health` and `probe` fail. */
  readonly missing?: EngineMissing
  /** What `probe` does. Default: it succeeds, so that every failure is the file's. */
  readonly probe?: ProbeEngine
}

const succeed: EncodeScript = { kind: "succeed" }

const encodedVideo = (bytes: Uint8Array): EncodedVideo => ({
  size_bytes: bytes.length,
  path: undefined,
  bytes: (range) =>
    Stream.make(
      bytes.subarray(range?.offset ?? 0, range?.length === undefined ? undefined : range.offset + range.length)
    )
})

const differs = (error: { readonly _tag: string; readonly detail: string; readonly reason?: string }) =>
  new EncodeFailed({ reason: error.reason === "TooLarge" ? "OutputTooLarge" : "Rejected", detail: error.detail })

/**
 * A scripted encoder. It reads the GIF like a real one, and its videos have boxes that pass the check of the result.
 */
export const layer = (options: FakeEncoderOptions = {}): Layer.Layer<GifEncoder> =>
  Layer.succeed(
    GifEncoder,
    GifEncoder.of({
      encode: Effect.fn("FakeEncoder.encode")(function* (work) {
        const script = options.script?.({ name: work.name, plan: work.plan }) ?? succeed
        const length = yield* Stream.runFold(
          work.gif,
          () => 0,
          (sum, chunk) => sum + chunk.length
        )
        if (length === 0) return yield* new EncodeFailed({ reason: "Undecodable", detail: "the GIF is empty" })
        if (script.kind === "hang") return yield* Effect.never
        if (script.kind === "fail") return yield* new EncodeFailed({ reason: script.reason, detail: "as scripted" })
        for (const fraction of script.progress ?? [0.5]) yield* work.onProgress(fraction)
        if (script.gate !== undefined) yield* script.gate
        const bytes = tinyMp4(work.plan, script.samples_bytes)
        const facts = yield* Effect.fromResult(readMp4(bytes)).pipe(Effect.mapError(differs))
        yield* Effect.fromResult(checkVideo(work.plan, facts, bytes.length, work.maxOutput_bytes)).pipe(
          Effect.mapError(differs)
        )
        return encodedVideo(bytes)
      }),
      probe: options.missing ?? options.probe ?? Effect.void,
      health: options.missing ?? Effect.succeed({ path: "fake", version: "fake", source: "fake", warnings: [] })
    })
  )
