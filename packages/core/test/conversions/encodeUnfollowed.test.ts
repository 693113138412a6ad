import { assert, describe, it } from "@effect/vitest"
import { Effect, Latch, Layer, Option, Stream } from "effect"
import { canonicalPieces, makeCanonicalWriter } from "../../src/conversions/gif/canonicalGif.ts"
import { type EncodeWork, GifEncoder } from "../../src/conversions/GifEncoder.ts"
import { EncodeFailed } from "../../src/encoding/EncodeFailed.ts"
import { scanGif } from "../../src/media/gif/scanGif.ts"
import { engineThat } from "@loopbox/testing/fakes/engines"
import { joinBytes, sampleGif } from "@loopbox/testing/fakes/gifSamples"
import { noFault } from "@loopbox/testing/fakes/faults"
import { tinyMp4 } from "@loopbox/testing/fakes/tinyMp4"
import { makeWorkspace, smallGif, submitGif } from "@loopbox/testing/fixtures/mediaFixtures"
import { layerTest } from "@loopbox/testing/layers/testLayers"
import { startWorker, untilEnded } from "@loopbox/testing/layers/workers"

/** The data of its second image is "clear, 0, end": one pixel of a row. */
const brokenGif = sampleGif({ width: 32, height: 32, images: [{}, { data: Uint8Array.of(2, 2, 0x44, 0x01, 0) }] })

const mended = Effect.gen(function* () {
  const facts = yield* Effect.fromResult(scanGif(brokenGif))
  return makeCanonicalWriter(canonicalPieces(facts, "#FFFFFF")).push(brokenGif)
})

/** An encoder that keeps a folder until its scope closes, and tells what it is given and what becomes of it. */
const makeEngine = (first: Effect.Effect<void, EncodeFailed>) => {
  const log: Array<string> = []
  const given: Array<Uint8Array> = []
  const encode = Effect.fnUntraced(function* <E>(work: EncodeWork<E>) {
    const n = given.length + 1
    log.push(`folder ${n}`)
    yield* Effect.addFinalizer(() => Effect.sync(() => void log.push(`no folder ${n}`)))
    given.push(joinBytes(yield* Stream.runCollect(work.gif)))
    if (n === 1) yield* first.pipe(Effect.onInterrupt(() => Effect.sync(() => void log.push(`stopped ${n}`))))
    const bytes = tinyMp4(work.plan)
    return { size_bytes: bytes.length, path: undefined, bytes: () => Stream.make(bytes) }
  })
  const health = Effect.succeed({ path: "scripted", version: "1", source: "test", warnings: [] })
  return { log, given, layer: Layer.succeed(GifEncoder, GifEncoder.of({ encode, health, probe: Effect.void })) }
}

describe("A GIF whose data is followed while it is encoded", () => {
  it.effect("is encoded once where it is whole, and nobody waits for the last look at its data", () =>
    Effect.gen(function* () {
      let reads = 0
      const readThrice = yield* Latch.make()
      const before = (call: string) =>
        Effect.suspend(() => (call === "read" && ++reads === 3 ? Effect.asVoid(readThrice.open) : Effect.void))
      let encoded = 0
      const engine = engineThat(() =>
        Effect.andThen(
          readThrice.await,
          Effect.sync(() => void (encoded += 1))
        )
      )
      yield* startWorker({ engine, fault: { ...noFault, before } })
      const { job } = yield* submitGif(yield* makeWorkspace(), smallGif)
      assert.strictEqual((yield* untilEnded(job))._tag, "SucceededJob")
      assert.deepStrictEqual([encoded, reads], [1, 3])
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("is begun again where it is broken, mended, and only once nothing is left of the first attempt", () =>
    Effect.gen(function* () {
      const { given, layer, log } = makeEngine(Effect.never)
      yield* startWorker({ engine: layer })
      const { job } = yield* submitGif(yield* makeWorkspace(), brokenGif)
      assert.strictEqual((yield* untilEnded(job))._tag, "SucceededJob")
      assert.deepStrictEqual(log, ["folder 1", "stopped 1", "no folder 1", "folder 2", "no folder 2"])
      assert.deepStrictEqual(Option.fromUndefinedOr(given[1]), Option.some(yield* mended))
    }).pipe(Effect.provide(layerTest))
  )

  for (const [how, first] of [
    ["fails at the broken data", Effect.fail(new EncodeFailed({ reason: "Undecodable", detail: "broken" }))],
    ["makes a video of the broken data", Effect.void]
  ] as const) {
    it.effect(`is begun again where the first attempt ${how}`, () =>
      Effect.gen(function* () {
        const { given, layer } = makeEngine(first)
        yield* startWorker({ engine: layer })
        const { job } = yield* submitGif(yield* makeWorkspace(), brokenGif)
        assert.strictEqual((yield* untilEnded(job))._tag, "SucceededJob")
        assert.deepStrictEqual(given.slice(1), [yield* mended])
      }).pipe(Effect.provide(layerTest))
    )
  }
})
