import { assert, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { GifEncoder } from "@loopbox/core/conversions/GifEncoder"
import type { EncodeWork } from "@loopbox/core/conversions/GifEncoder"
import type { EncodedVideo } from "@loopbox/core/encoding/EncodedVideo"
import { canonicalPieces, makeCanonicalWriter } from "@loopbox/core/conversions/gif/canonicalGif"
import { renderPlan } from "@loopbox/core/conversions/gif/renderPlan"
import { scanGif } from "@loopbox/core/media/gif/scanGif"
import { checkVideo } from "@loopbox/core/conversions/mp4/checkVideo"
import { readMp4 } from "@loopbox/core/conversions/mp4/readMp4"
import { animatedGif, joinBytes, sampleGif } from "../fakes/gifSamples.ts"

const background = "#12C8F0"

const ignoreProgress = () => Effect.void

/** The input that the worker gives an encoder for a GIF. */
export const encodeWorkOf = Effect.fnUntraced(function* (gif: Uint8Array, name: string) {
  const facts = yield* Effect.fromResult(scanGif(gif))
  const writer = makeCanonicalWriter(canonicalPieces(facts, background))
  const work: EncodeWork<never> = {
    name,
    plan: renderPlan(facts, background),
    gif: Stream.make(writer.push(gif)),
    onProgress: ignoreProgress,
    maxOutput_bytes: 50_000_000
  }
  return work
})

const bytesOf = (video: EncodedVideo, range?: { readonly offset: number; readonly length?: number }) =>
  Stream.runCollect(video.bytes(range)).pipe(Effect.map(joinBytes))

/** Reads the whole GIF and then never ends, to test interruption. */
const startedAndHeld = Effect.fnUntraced(function* (work: EncodeWork<never>) {
  const started = yield* Deferred.make<void>()
  const held: EncodeWork<never> = {
    ...work,
    gif: Stream.concat(
      work.gif,
      Stream.fromEffect(Deferred.succeed(started, undefined).pipe(Effect.andThen(Effect.never)))
    )
  }
  return { held, started }
})

/** What every encoder must do. */
export const gifEncoderContract = <E>(adapter: string, encoder: Layer.Layer<GifEncoder, E>) =>
  layer(encoder)(`GifEncoder: ${adapter}`, (it) => {
    it.effect("says where its engine is", () =>
      Effect.gen(function* () {
        const health = yield* (yield* GifEncoder).health
        assert.isAbove(health.path.length, 0)
        assert.isAbove(health.version.length, 0)
      })
    )

    it.effect("passes its own trial, several at once too", () =>
      Effect.gen(function* () {
        const { probe } = yield* GifEncoder
        yield* Effect.all([probe, probe], { concurrency: 2 })
      })
    )

    it.effect.each([
      ["a static GIF", () => animatedGif([0])],
      ["a short cycle that is repeated", () => animatedGif([7, 13, 17])],
      ["a cycle that ends between two pictures", () => animatedGif([249, 250])],
      ["a side of one pixel", () => animatedGif([10, 10], { width: 1, height: 9 })],
      ["odd sides", () => animatedGif([30, 30], { width: 33, height: 17 })]
    ] as const)("makes the planned video of $0", ([name, gif]) =>
      Effect.gen(function* () {
        const encoder = yield* GifEncoder
        const work = yield* encodeWorkOf(gif(), name.replaceAll(" ", "-"))
        const video = yield* encoder.encode(work)
        const bytes = yield* bytesOf(video)
        assert.strictEqual(bytes.length, video.size_bytes)
        const facts = yield* Effect.fromResult(readMp4(bytes))
        yield* Effect.fromResult(checkVideo(work.plan, facts, bytes.length, work.maxOutput_bytes))
      })
    )

    it.effect("gives any range of the video", () =>
      Effect.gen(function* () {
        const video = yield* (yield* GifEncoder).encode(yield* encodeWorkOf(animatedGif([10]), "ranges"))
        const all = yield* bytesOf(video)
        assert.deepStrictEqual(yield* bytesOf(video, { offset: 5, length: 7 }), all.slice(5, 12))
        assert.deepStrictEqual(yield* bytesOf(video, { offset: all.length - 3 }), all.slice(-3))
        assert.deepStrictEqual(yield* bytesOf(video, { offset: 5, length: 0 }), new Uint8Array(0))
      })
    )

    it.effect("tells a progress that never falls and never says 1 before the end", () =>
      Effect.gen(function* () {
        const told: Array<number> = []
        const work = yield* encodeWorkOf(animatedGif([7, 13, 17]), "progress")
        yield* (yield* GifEncoder).encode({
          ...work,
          onProgress: (fraction) => Effect.sync(() => void told.push(fraction))
        })
        assert.isTrue(told.every((fraction) => fraction > 0 && fraction < 1))
        assert.deepStrictEqual(
          told,
          told.toSorted((a, b) => a - b)
        )
      })
    )

    it.effect("passes the failure of the GIF's stream on as it is", () =>
      Effect.gen(function* () {
        const work = yield* encodeWorkOf(animatedGif([10]), "source-fails")
        const gif = Stream.concat(work.gif, Stream.fail("the upload is gone" as const))
        const error = yield* Effect.flip((yield* GifEncoder).encode({ ...work, gif }))
        assert.strictEqual(error, "the upload is gone")
      })
    )

    it.effect("refuses a GIF without a byte as undecodable", () =>
      Effect.gen(function* () {
        const work = yield* encodeWorkOf(animatedGif([10]), "empty")
        const error = yield* Effect.flip((yield* GifEncoder).encode({ ...work, gif: Stream.empty }))
        assert.strictEqual(error.reason, "Undecodable")
      })
    )

    it.effect("refuses a video over the limit", () =>
      Effect.gen(function* () {
        const work = yield* encodeWorkOf(animatedGif([10, 10]), "too-large")
        const error = yield* Effect.flip((yield* GifEncoder).encode({ ...work, maxOutput_bytes: 100 }))
        assert.strictEqual(error.reason, "OutputTooLarge")
      })
    )

    it.effect("encodes two works at once, also under one scope", () =>
      Effect.gen(function* () {
        const encoder = yield* GifEncoder
        const one = yield* encodeWorkOf(animatedGif([20, 20]), "side-by-side-1")
        const two = yield* encodeWorkOf(sampleGif({ width: 64, height: 48, images: [{}] }), "side-by-side-2")
        const videos = yield* Effect.all([encoder.encode(one), encoder.encode(two)], { concurrency: 2 })
        const sizes = yield* Effect.forEach(videos, (video) =>
          bytesOf(video).pipe(Effect.flatMap((bytes) => Effect.fromResult(readMp4(bytes))))
        )
        assert.deepStrictEqual(
          sizes.map(({ height, width }) => [width, height]),
          [
            [32, 32],
            [64, 48]
          ]
        )
      })
    )

    it.effect("ends at once when it is interrupted", () =>
      Effect.gen(function* () {
        const encoder = yield* GifEncoder
        const { held, started } = yield* startedAndHeld(yield* encodeWorkOf(animatedGif([10]), "interrupted"))
        const scope = yield* Scope.make()
        const fiber = yield* encoder.encode(held).pipe(Scope.provide(scope), Effect.forkChild)
        yield* Deferred.await(started)
        yield* Fiber.interrupt(fiber)
        assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
        yield* Scope.close(scope, Exit.void)
      })
    )
  })
