import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Administration } from "../../src/access/Administration.ts"
import { Conversions } from "../../src/conversions/Conversions.ts"
import { StoreUnavailable } from "../../src/kernel/StoreUnavailable.ts"
import { MemoryState } from "../../src/local/MemoryState.ts"
import { BlobStore } from "../../src/media/BlobStore.ts"
import { MediaLibrary } from "../../src/media/MediaLibrary.ts"
import { RetentionStore } from "../../src/retention/RetentionStore.ts"
import * as RetentionSweeper from "../../src/retention/RetentionSweeper.ts"
import { hangingEngine } from "../support/engines.ts"
import { type Fault, failing, faultyBlobStore, faultyRetentionStore } from "../support/faults.ts"
import {
  away,
  blobKeys,
  findJob,
  findMedia,
  key,
  makeContractWorkspace,
  makeWorkspace,
  submit,
  submitGif,
  textBytes,
  upload
} from "../support/fixtures.ts"
import { layerTest } from "../support/testLayers.ts"
import { startWorker, untilEnded } from "../support/workers.ts"

const day = 86_400_000
const goTo = (at: DateTime.Utc | number) => TestClock.setTime(typeof at === "number" ? at : DateTime.toEpochMillis(at))
const after = (at: DateTime.Utc) => DateTime.add(at, { milliseconds: 1 })
const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)
const { sweep } = RetentionSweeper

/** Sweeps over stores that fail so. */
const sweepWith = (fault: Fault) =>
  sweep().pipe(
    Effect.updateService(BlobStore, (blobs) => faultyBlobStore(blobs, fault)),
    Effect.updateService(RetentionStore, (store) => faultyRetentionStore(store, fault))
  )

describe("RetentionSweeper.sweep (design §8)", () => {
  it.effect("deletes an upload that no job used after the plan's days, record and bytes, and not at that moment", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      const media = yield* upload(workspace)
      assert.strictEqual(DateTime.toEpochMillis(media.keepUntil), 4 * day)
      yield* goTo(media.keepUntil)
      yield* sweep()
      assert.deepStrictEqual(yield* findMedia(workspace, media.id), media)
      yield* goTo(after(media.keepUntil))
      yield* sweep()
      assert.strictEqual(yield* tagOf(findMedia(workspace, media.id)), "MediaNotFound")
      assert.deepStrictEqual(yield* blobKeys, [])
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("deletes an upload that was never finished after 7 days", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("enterprise")
      const reservation = { workspaceId: workspace.id, filename: Option.none(), sizeBytes: Option.none() }
      const pending = yield* MediaLibrary.use((library) =>
        library.reserve({ ...reservation, contentType: "image/gif" })
      )
      yield* goTo(7 * day)
      yield* sweep()
      assert.strictEqual((yield* findMedia(workspace, pending.id))._tag, "PendingMedia")
      yield* goTo(7 * day + 1)
      yield* sweep()
      assert.strictEqual(yield* tagOf(findMedia(workspace, pending.id)), "MediaNotFound")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("deletes input and output of a success together, after the days counted from its end", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("free")
      const gif = yield* upload(workspace)
      yield* goTo(day - 10_000)
      const worker = yield* startWorker()
      const job = yield* untilEnded(yield* submit(workspace, gif.id))
      yield* worker.stop
      if (job._tag !== "SucceededJob") return assert.fail(job._tag)
      const until = DateTime.add(job.completedAt, { days: 1 })
      yield* goTo(until)
      yield* sweep()
      assert.lengthOf(yield* blobKeys, 2)
      yield* goTo(after(until))
      yield* sweep()
      assert.deepStrictEqual(yield* blobKeys, [])
      assert.strictEqual(yield* tagOf(findMedia(workspace, gif.id)), "MediaNotFound")
      assert.strictEqual(yield* tagOf(findMedia(workspace, job.outputMediaId)), "MediaNotFound")
      // The job tells on what it made, for its row lives longer.
      assert.deepStrictEqual(yield* findJob(job), job)
    }).pipe(Effect.provide(layerTest))
  )

  for (const how of ["fails", "is canceled"]) {
    it.effect(`keeps the input of a job that ${how} for the longer days of a failure`, () =>
      Effect.gen(function* () {
        const workspace = yield* makeWorkspace("free")
        const { gif, job } = yield* submitGif(workspace)
        if (how === "is canceled") yield* Conversions.use((all) => all.cancel(workspace.id, job.id))
        const worker = yield* startWorker({ encoder: { script: () => ({ kind: "fail", reason: "Rejected" }) } })
        const ended = yield* untilEnded(job)
        yield* worker.stop
        const until = DateTime.add(ended.completedAt, { days: 2 })
        yield* goTo(until)
        yield* sweep()
        assert.deepStrictEqual((yield* findMedia(workspace, gif.id)).keepUntil, until)
        yield* goTo(after(until))
        yield* sweep()
        assert.strictEqual(yield* tagOf(findMedia(workspace, gif.id)), "MediaNotFound")
      }).pipe(Effect.provide(layerTest))
    )
  }

  it.effect("never deletes what a queued or processing job reads, whatever the clock says", () =>
    Effect.gen(function* () {
      const workspace = yield* makeContractWorkspace(5, 5)
      const queued = yield* submitGif(workspace)
      yield* goTo(400 * day)
      yield* sweep()
      assert.deepStrictEqual(yield* findMedia(workspace, queued.gif.id), queued.gif)
      const worker = yield* startWorker({ engine: hangingEngine, processingLimit: "1000 days" })
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* findJob(queued.job))._tag, "ProcessingJob")
      yield* sweep()
      assert.deepStrictEqual(yield* blobKeys, [queued.gif.blobKey])
      yield* worker.stop
      yield* Conversions.use((all) => all.cancel(workspace.id, queued.job.id))
      yield* sweep()
      assert.lengthOf(yield* blobKeys, 1)
      yield* TestClock.adjust("61 days")
      yield* sweep()
      assert.deepStrictEqual(yield* blobKeys, [])
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("deletes by the days that held when the file came: a downgrade changes the future only", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("team")
      const media = yield* upload(workspace)
      yield* Administration.use((administration) => administration.updateWorkspace(workspace.id, { plan: "free" }))
      yield* goTo(29 * day)
      yield* sweep()
      assert.deepStrictEqual(yield* findMedia(workspace, media.id), media)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("deletes any number of files, and none of those that are kept", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("free")
      yield* Effect.forEach(Array.from({ length: 250 }), () => upload(workspace))
      yield* goTo(day / 2)
      const kept = yield* upload(workspace)
      yield* goTo(day + 1)
      yield* sweep()
      assert.deepStrictEqual(yield* blobKeys, [kept.blobKey])
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("removes bytes without a record after 24 hours, and none that have one", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("team")
      const media = yield* upload(workspace)
      const orphan = `${workspace.id}/mpj_of-a-lost-worker`
      yield* BlobStore.use((blobs) => blobs.write(orphan, Stream.make(textBytes("lost"))))
      yield* goTo(day)
      yield* sweep()
      assert.lengthOf(yield* blobKeys, 2)
      yield* goTo(day + 1)
      yield* sweep()
      assert.deepStrictEqual(yield* blobKeys, [media.blobKey])
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("removes what dead writers have left half written", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      yield* sweepWith({
        before: (operation) => Effect.sync(() => void asked.push(operation)),
        after: () => Effect.void
      })
      assert.include(asked, "removeAbandoned")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("keeps the row of an ended job and its key for 90 days", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("free")
      const gif = yield* upload(workspace)
      const job = yield* submit(workspace, gif.id, { key: key("k") })
      const { completedAt } = yield* Conversions.use((all) => all.cancel(workspace.id, job.id))
      yield* goTo(DateTime.subtract(DateTime.add(completedAt, { days: 90 }), { milliseconds: 1 }))
      yield* sweep()
      assert.strictEqual((yield* submit(workspace, gif.id, { key: key("k") })).id, job.id)
      yield* goTo(after(DateTime.add(completedAt, { days: 90 })))
      yield* sweep()
      assert.strictEqual(yield* tagOf(findJob(job)), "JobNotFound")
      const next = yield* upload(workspace)
      assert.notStrictEqual((yield* submit(workspace, next.id, { key: key("k") })).id, job.id)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("keeps the row of a waiting job for ever", () =>
    Effect.gen(function* () {
      const { job } = yield* submitGif(yield* makeWorkspace())
      yield* goTo(1000 * day)
      yield* sweep()
      assert.deepStrictEqual(yield* findJob(job), job)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("keeps the row of deleted media for 30 days; it is not found meanwhile", () =>
    Effect.gen(function* () {
      const state = yield* MemoryState
      const workspace = yield* makeWorkspace("free")
      const media = yield* upload(workspace)
      yield* MediaLibrary.use((library) => library.remove(workspace.id, media.id))
      yield* goTo(30 * day - 1)
      yield* sweep()
      assert.strictEqual(state.media.size, 1)
      assert.strictEqual(yield* tagOf(findMedia(workspace, media.id)), "MediaNotFound")
      yield* goTo(30 * day + 1)
      yield* sweep()
      assert.strictEqual(state.media.size, 0)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("leaves nothing of an erased workspace", () =>
    Effect.gen(function* () {
      const state = yield* MemoryState
      const workspace = yield* makeWorkspace("growth")
      yield* submitGif(workspace)
      yield* Administration.use((administration) => administration.eraseWorkspace(workspace.id))
      yield* sweep()
      assert.deepStrictEqual([state.media.size, state.jobs.size], [0, 0])
      assert.deepStrictEqual(yield* blobKeys, [])
    }).pipe(Effect.provide(layerTest))
  )

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

  it.effect("removes any number of files, purges rows and orphans although one file cannot be removed", () =>
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

  it.effect("sweeps at its start and then as often as it was told", () =>
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

  it.effect("goes on after a time in which its store was away", () =>
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

  it.effect("goes on after a bug", () =>
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
