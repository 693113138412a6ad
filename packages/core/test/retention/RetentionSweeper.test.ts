import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Conversions } from "../../src/conversions/Conversions.ts"
import { StoreUnavailable } from "../../src/kernel/StoreUnavailable.ts"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { BlobStore } from "../../src/media/BlobStore.ts"
import { RetentionStore } from "../../src/retention/RetentionStore.ts"
import * as RetentionSweeper from "../../src/retention/RetentionSweeper.ts"
import { type Fault, failing, faultyRetentionStore, noFault } from "@loopbox/testing/fakes/faults"
import { away, blobKeys, makeWorkspace, submitGif, textBytes, upload } from "@loopbox/testing/fixtures/mediaFixtures"
import { layerTest } from "@loopbox/testing/layers/testLayers"
import { day, goTo, tagOf, sweepWith } from "./sweepWorld.ts"

const { sweep } = RetentionSweeper

describe("RetentionSweeper.sweep: interruptions and failures (design §8)", () => {
  const interruptions: ReadonlyArray<readonly [string, Fault]> = [
    ["the removal could not be confirmed", failing("confirmRemoved", { times: 1, when: "before", error: away() })],
    ["records were marked and no more", failing("listRemovable", { times: 1, when: "before", error: away() })],
    ["records may have been marked", failing("expire", { times: 1, when: "after", error: away("unknown") })],
    ["rows could not be purged", failing("purgeRows", { times: 1, when: "before", error: away() })]
  ]
  for (const when of ["before", "after"] as const) {
    it.effect(`removes all other bytes when one file cannot be removed (${when}), and that one the next time`, () =>
      Effect.gen(function* () {
        const state = yield* MemoryState
        const workspace = yield* makeWorkspace("free")
        yield* Effect.forEach([1, 2, 3], () => upload(workspace))
        yield* goTo(2 * day)
        yield* sweepWith(failing("remove", { times: 1, when, error: away("unknown") }))
        const left = Array.from(state.media.values()).filter(({ isRemoved }) => !isRemoved)
        assert.lengthOf(left, 1)
        yield* sweep()
        assert.deepStrictEqual(yield* blobKeys, [])
        assert.isTrue(Array.from(state.media.values()).every(({ isRemoved }) => isRemoved))
      }).pipe(Effect.provide(layerTest))
    )
  }

  it.effect("removes other files, old rows and orphans although one file cannot be removed", () =>
    Effect.gen(function* () {
      const state = yield* MemoryState
      const workspace = yield* makeWorkspace("free")
      const stuck = yield* upload(workspace)
      yield* Effect.forEach(Array.from({ length: 250 }), () => upload(workspace))
      const { job } = yield* submitGif(workspace)
      yield* Conversions.use((all) => all.cancel(workspace.id, job.id))
      yield* BlobStore.use((blobs) => blobs.write(`${workspace.id}/orphan`, Stream.make(textBytes("lost"))))
      yield* goTo(100 * day)
      yield* sweep().pipe(
        Effect.updateService(BlobStore, (blobs) =>
          BlobStore.of({
            ...blobs,
            remove: (blobKey) => (blobKey === stuck.blobKey ? Effect.fail(away()) : blobs.remove(blobKey))
          })
        )
      )
      assert.deepStrictEqual(yield* blobKeys, [stuck.blobKey])
      assert.strictEqual(state.jobs.size, 0)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("removes files behind more stuck files than one step reads (core 10)", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("free")
      const stuck = yield* Effect.forEach(Array.from({ length: 120 }), () => upload(workspace))
      yield* goTo(2 * day)
      yield* sweepWith(noFault).pipe(
        Effect.updateService(BlobStore, (blobs) => BlobStore.of({ ...blobs, remove: () => Effect.fail(away()) }))
      )
      const later = yield* upload(workspace)
      yield* goTo(4 * day)
      const keys = new Set(stuck.map(({ blobKey }) => blobKey))
      yield* sweep().pipe(
        Effect.updateService(BlobStore, (blobs) =>
          BlobStore.of({
            ...blobs,
            remove: (blobKey) => (keys.has(blobKey) ? Effect.fail(away()) : blobs.remove(blobKey))
          })
        )
      )
      assert.notInclude(yield* blobKeys, later.blobKey)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("runs its other steps although one fails (core 10)", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("free")
      yield* BlobStore.use((blobs) => blobs.write(`${workspace.id}/orphan`, Stream.make(textBytes("lost"))))
      yield* goTo(100 * day)
      const broken = (blobs: BlobStore["Service"]) => BlobStore.of({ ...blobs, removeAbandoned: Effect.fail(away()) })
      const error = yield* Effect.flip(Effect.updateService(sweep(), BlobStore, broken))
      assert.strictEqual(error._tag, "StoreUnavailable")
      assert.deepStrictEqual(yield* blobKeys, [])
    }).pipe(Effect.provide(layerTest))
  )

  for (const [what, fault] of interruptions) {
    it.effect(`that ended because ${what} is finished by the next one`, () =>
      Effect.gen(function* () {
        const state = yield* MemoryState
        const workspace = yield* makeWorkspace("free")
        yield* Effect.forEach([1, 2, 3], () => upload(workspace))
        yield* goTo(2 * day)
        assert.strictEqual(yield* tagOf(sweepWith(fault)), "StoreUnavailable")
        yield* sweepWith(fault)
        assert.deepStrictEqual(yield* blobKeys, [])
        assert.isTrue(
          Array.from(state.media.values()).every(({ deletedAt, isRemoved }) => deletedAt !== undefined && isRemoved)
        )
      }).pipe(Effect.provide(layerTest))
    )
  }
})

describe("RetentionSweeper.layer", () => {
  /** How often it has swept, as its store sees it. */
  const counting = (
    count: { sweeps: number },
    fail: () => Effect.Effect<void, StoreUnavailable> = () => Effect.void
  ): Fault => ({
    before: (operation) =>
      Effect.suspend(() => {
        if (operation !== "expire") return Effect.void
        count.sweeps++
        return fail()
      }),
    after: () => Effect.void
  })
  const run = (every: Parameters<typeof RetentionSweeper.layer>[0]["every"], fault: Fault) =>
    Layer.build(
      RetentionSweeper.layer({ every }).pipe(
        Layer.updateService(RetentionStore, (store) => faultyRetentionStore(store, fault))
      )
    )

  it.effect("sweeps at its start and then at its interval", () =>
    Effect.gen(function* () {
      const count = { sweeps: 0 }
      yield* run("10 minutes", counting(count))
      yield* TestClock.adjust(0)
      assert.strictEqual(count.sweeps, 1)
      yield* TestClock.adjust("9 minutes")
      assert.strictEqual(count.sweeps, 1)
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(count.sweeps, 2)
      yield* TestClock.adjust("60 minutes")
      assert.strictEqual(count.sweeps, 8)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("continues after an outage of its store", () =>
    Effect.gen(function* () {
      const count = { sweeps: 0 }
      const workspace = yield* makeWorkspace("free")
      yield* upload(workspace)
      yield* goTo(2 * day)
      yield* run(
        "10 minutes",
        counting(count, () => (count.sweeps <= 3 ? Effect.fail(away()) : Effect.void))
      )
      yield* TestClock.adjust("30 minutes")
      assert.isAbove(count.sweeps, 3)
      assert.deepStrictEqual(yield* blobKeys, [])
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("does not repeat a sweep that fails every second (core 10)", () =>
    Effect.gen(function* () {
      const count = { sweeps: 0 }
      yield* run(
        "10 minutes",
        counting(count, () => Effect.fail(away()))
      )
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual(count.sweeps, 1)
      yield* TestClock.adjust("1 hour")
      assert.isAtLeast(count.sweeps, 5)
      assert.isAtMost(count.sweeps, 12)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("continues after a defect", () =>
    Effect.gen(function* () {
      const count = { sweeps: 0 }
      yield* run(
        "10 minutes",
        counting(count, () => (count.sweeps === 1 ? Effect.die("a bug") : Effect.void))
      )
      yield* TestClock.adjust("11 minutes")
      assert.isAbove(count.sweeps, 1)
    }).pipe(Effect.provide(layerTest))
  )
})
