import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Scope, Stream, Exit } from "effect"
import { TestClock } from "effect/testing"
import { memorySweepTurns } from "@loopbox/testing/fakes/memorySweepTurns"
import { layerTest } from "@loopbox/testing/layers/testLayers"
import { SweepTurns } from "../../src/kernel/lease/SweepTurns.ts"
import { BlobStore } from "../../src/media/BlobStore.ts"
import * as RetentionSweeper from "../../src/retention/RetentionSweeper.ts"

describe("The look for bytes without a record", () => {
  it.effect("reads the names of all files once a day, over all processes and their restarts", () => {
    let scans = 0
    const turns = memorySweepTurns()
    const process = RetentionSweeper.layer({ every: "10 minutes" }).pipe(
      Layer.updateService(BlobStore, (blobs) =>
        BlobStore.of({
          ...blobs,
          listOlder: (before) => {
            scans += 1
            return Stream.concat(Stream.empty, blobs.listOlder(before))
          }
        })
      )
    )
    const start = Effect.gen(function* () {
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(process, scope)
      return Scope.close(scope, Exit.void)
    })
    return Effect.gen(function* () {
      const [first, second] = [yield* start, yield* start]
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(scans, 1)
      yield* first
      yield* second
      // A process looks each second whether a sweep is due: all of them at once, for a whole day, would take as long as a minute.
      for (let hour = 1; hour < 24; hour++) {
        const stop = yield* start
        yield* TestClock.adjust("12 minutes")
        assert.strictEqual(scans, 1, `after ${hour} hours`)
        yield* stop
        yield* TestClock.adjust("48 minutes")
      }
      yield* start
      yield* TestClock.adjust("12 minutes")
      assert.strictEqual(scans, 2)
    }).pipe(Effect.provideService(SweepTurns, turns), Effect.scoped, Effect.provide(layerTest))
  })
})
