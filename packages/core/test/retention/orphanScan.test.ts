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
      const stop = yield* start
      yield* start
      yield* TestClock.adjust("3 hours")
      assert.strictEqual(scans, 1)
      yield* stop
      yield* start
      yield* TestClock.adjust("20 hours")
      assert.strictEqual(scans, 1)
      yield* TestClock.adjust("70 minutes")
      assert.strictEqual(scans, 2)
    }).pipe(Effect.provideService(SweepTurns, turns), Effect.scoped, Effect.provide(layerTest))
  })
})
