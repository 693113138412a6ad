import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Administration } from "../../src/access/Administration.ts"
import { Conversions } from "../../src/conversions/Conversions.ts"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { BlobStore } from "../../src/media/BlobStore.ts"
import { MediaLibrary } from "../../src/media/MediaLibrary.ts"
import * as RetentionSweeper from "../../src/retention/RetentionSweeper.ts"
import { hangingEngine } from "@loopbox/testing/fakes/engines"
import {
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
} from "@loopbox/testing/fixtures/mediaFixtures"
import { layerTest } from "@loopbox/testing/layers/testLayers"
import { startWorker, untilEnded } from "@loopbox/testing/layers/workers"
import { day, goTo, after, tagOf, sweepWith } from "./sweepWorld.ts"

const { sweep } = RetentionSweeper

describe("RetentionSweeper.sweep (design §8)", () => {
  it.effect("deletes record and bytes of an unused upload after the plan's days, and not before", () =>
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

  it.effect("deletes an unfinished upload after 7 days", () =>
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

  it.effect("deletes input and output of a successful job together, counted from its end", () =>
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

  it.effect("never deletes the input of a queued or processing job, at any time", () =>
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

  it.effect("uses the retention of the plan at the time of the upload: a downgrade applies only to later files", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("team")
      const media = yield* upload(workspace)
      yield* Administration.use((administration) => administration.updateWorkspace(workspace.id, { plan: "free" }))
      yield* goTo(29 * day)
      yield* sweep()
      assert.deepStrictEqual(yield* findMedia(workspace, media.id), media)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("deletes any number of expired files, and no others", () =>
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

  it.effect("removes bytes without a record after 24 hours, and no others", () =>
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

  it.effect("removes incomplete files of crashed writers", () =>
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

  it.effect("never deletes the row of a waiting job", () =>
    Effect.gen(function* () {
      const { job } = yield* submitGif(yield* makeWorkspace())
      yield* goTo(1000 * day)
      yield* sweep()
      assert.deepStrictEqual(yield* findJob(job), job)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("keeps the row of deleted media for 30 days, hidden", () =>
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
})
