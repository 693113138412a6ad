import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { Administration } from "../../src/access/Administration.ts"
import { Conversions } from "../../src/conversions/Conversions.ts"
import { ConversionStore } from "../../src/conversions/ConversionStore.ts"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { BlobStore } from "../../src/media/BlobStore.ts"
import { MediaLibrary } from "../../src/media/MediaLibrary.ts"
import { MediaStore } from "../../src/media/MediaStore.ts"
import { ReadyMedia } from "../../src/media/Media.ts"
import { failing, faultyBlobStore, faultyConversionStore, faultyMediaStore } from "@loopbox/testing/fakes/faults"
import {
  away,
  findJob,
  key,
  makeContractWorkspace,
  makeWorkspace,
  submit,
  submitGif,
  upload
} from "@loopbox/testing/fixtures/mediaFixtures"
import { samples } from "@loopbox/testing/fixtures/mediaSamples"
import { layerServices, layerTest, memory } from "@loopbox/testing/layers/testLayers"

const unknownMedia = `med_${"0".repeat(26)}`
const firstPage = { limit: 100, after: Option.none() }
const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)
const cancel = (job: { readonly workspaceId: Parameters<Conversions["Service"]["cancel"]>[0]; readonly id: string }) =>
  Conversions.use((conversions) => conversions.cancel(job.workspaceId, job.id))

/** A record whose file is said to have this size, without the bytes that this would take. */
const withSize = Effect.fnUntraced(function* (media: ReadyMedia, sizeBytes: number) {
  const state = yield* MemoryState
  const sized = new ReadyMedia({ ...media, sizeBytes })
  state.media.set(media.id, { media: sized, deletedAt: undefined, isRemoved: false })
  return sized
})

const removeBytes = (media: ReadyMedia) => BlobStore.use((blobs) => blobs.remove(media.blobKey))

describe("Conversions.submit (§4.3)", () => {
  it.effect("queues a job with white as background, without fields of later states", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(7_000)
      const workspace = yield* makeWorkspace()
      const { gif, job } = yield* submitGif(workspace)
      assert.strictEqual(job._tag, "QueuedJob")
      assert.strictEqual(job.workspaceId, workspace.id)
      assert.deepStrictEqual({ ...job.task }, { gifMediaId: gif.id, backgroundColor: "#FFFFFF" })
      assert.strictEqual(DateTime.toEpochMillis(job.createdAt), 7_000)
      assert.deepStrictEqual(yield* findJob(job), job)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("writes the background in upper case", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const gif = yield* upload(workspace)
      assert.strictEqual((yield* submit(workspace, gif.id, { background: "#12c8f0" })).task.backgroundColor, "#12C8F0")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("refuses every other way to write a colour (row 4)", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const gif = yield* upload(workspace)
      for (const background of [
        "",
        "white",
        "#FFF",
        "FFFFFF",
        "#FFFFFFF",
        "#GGGGGG",
        "#ﬀ0000",
        "#FFFFFF ",
        "#FFFFFF\n",
        "rgb(0,0,0)"
      ]) {
        assert.strictEqual(
          yield* tagOf(submit(workspace, gif.id, { background })),
          "InvalidBackgroundColor",
          background
        )
      }
    }).pipe(Effect.provide(layerTest))
  )
})

describe("Conversions.submit answers the first of api.md §6", () => {
  it.effect("rows 3, 4, 6, 7: media required, colour, conflict, not found", () =>
    Effect.gen(function* () {
      const workspace = yield* makeContractWorkspace(1, 1)
      const { gif } = yield* submitGif(workspace)
      yield* Effect.forEach([undefined, "", " \t\n"], (blank) =>
        Effect.map(tagOf(submit(workspace, blank, { background: "no colour", key: key("k") })), (tag) =>
          assert.strictEqual(tag, "GifMediaRequired")
        )
      )
      // The workspace is at both limits and the key is used, so everything below is wrong in several rows.
      const state = yield* MemoryState
      for (const [id, entry] of state.jobs) state.jobs.set(id, { ...entry, idempotencyKey: key("k") })
      const wrong = (id: string, background?: string) =>
        tagOf(submit(workspace, id, { key: key("k"), ...(background === undefined ? {} : { background }) }))
      assert.strictEqual(yield* wrong(unknownMedia, "no colour"), "InvalidBackgroundColor")
      assert.strictEqual(yield* wrong(unknownMedia), "IdempotencyConflict")
      assert.strictEqual(yield* wrong("not an id"), "IdempotencyConflict")
      assert.strictEqual(yield* wrong(gif.id, "#000000"), "IdempotencyConflict")
      for (const id of [unknownMedia, "not an id", "med_1"]) {
        assert.strictEqual(yield* tagOf(submit(workspace, id, { key: key("other") })), "MediaNotFound")
      }
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("rows 8 to 12: unavailable, no GIF, too large, capacity, rate", () =>
    Effect.gen(function* () {
      const library = yield* MediaLibrary
      const workspace = yield* makeContractWorkspace(1, 1)
      const first = yield* submitGif(workspace)
      const pending = yield* library.reserve({
        workspaceId: workspace.id,
        contentType: "video/mp4",
        filename: Option.none(),
        sizeBytes: Option.some(60_000_000)
      })
      assert.strictEqual(yield* tagOf(submit(workspace, pending.id)), "InputMediaUnavailable")

      const film = yield* withSize(yield* upload(workspace, samples["video/mp4"]["isom"]), 60_000_000)
      yield* removeBytes(film)
      assert.strictEqual(yield* tagOf(submit(workspace, film.id)), "InputMediaUnavailable")

      const other = yield* withSize(yield* upload(workspace, samples["image/png"]["PNG"]), 60_000_000)
      assert.strictEqual(yield* tagOf(submit(workspace, other.id)), "NotAGif")

      const large = yield* withSize(yield* upload(workspace), 52_428_801)
      const tooLarge = yield* Effect.flip(submit(workspace, large.id))
      assert.deepInclude(tooLarge, { _tag: "GifTooLarge", sizeBytes: 52_428_801, limitBytes: 52_428_800 })

      const fine = yield* withSize(yield* upload(workspace), 52_428_800)
      const full = yield* Effect.flip(submit(workspace, fine.id))
      assert.deepInclude(full, { _tag: "CapacityExceeded", limit: 1 })

      yield* cancel(first.job)
      const used = yield* Effect.flip(submit(workspace, fine.id))
      if (used._tag !== "ConversionRateExceeded") return assert.fail(used._tag)
      assert.deepStrictEqual(used.resetAt, DateTime.add(first.job.createdAt, { hours: 24 }))

      yield* TestClock.setTime(DateTime.toEpochMillis(used.resetAt) - 1)
      assert.strictEqual(yield* tagOf(submit(workspace, fine.id)), "ConversionRateExceeded")
      yield* TestClock.setTime(DateTime.toEpochMillis(used.resetAt))
      assert.strictEqual((yield* submit(workspace, fine.id))._tag, "QueuedJob")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("row 7: media of another workspace is not found", () =>
    Effect.gen(function* () {
      const theirs = yield* upload(yield* makeWorkspace())
      assert.strictEqual(yield* tagOf(submit(yield* makeWorkspace(), theirs.id)), "MediaNotFound")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("row 8: a GIF whose bytes are gone is unavailable", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const gif = yield* upload(workspace)
      yield* removeBytes(gif)
      assert.strictEqual(yield* tagOf(submit(workspace, gif.id)), "InputMediaUnavailable")
    }).pipe(Effect.provide(layerTest))
  )
})

describe("Conversions.submit with an Idempotency-Key", () => {
  it.effect("replays the job of the same key and input, at no cost and at both limits", () =>
    Effect.gen(function* () {
      const workspace = yield* makeContractWorkspace(1, 1)
      const gif = yield* upload(workspace)
      const first = yield* submit(workspace, gif.id, { key: key("k"), background: "#aabbcc" })
      for (const background of ["#aabbcc", "#AABBCC", "#AaBbCc"]) {
        assert.deepStrictEqual(yield* submit(workspace, gif.id, { key: key("k"), background }), first)
      }
      assert.strictEqual(yield* tagOf(submit(workspace, gif.id)), "CapacityExceeded")
      assert.lengthOf((yield* Conversions.use((all) => all.list(workspace.id, Option.none(), firstPage))).items, 1)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("replays with the default colour said or unsaid", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const gif = yield* upload(workspace)
      const first = yield* submit(workspace, gif.id, { key: key("k") })
      assert.deepStrictEqual(yield* submit(workspace, gif.id, { key: key("k"), background: "#ffffff" }), first)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("replays the job as it is now, also after the GIF is deleted", () =>
    Effect.gen(function* () {
      const library = yield* MediaLibrary
      const workspace = yield* makeWorkspace()
      const gif = yield* upload(workspace)
      const first = yield* submit(workspace, gif.id, { key: key("k") })
      const canceled = yield* cancel(first)
      yield* library.remove(workspace.id, gif.id)
      assert.deepStrictEqual(yield* submit(workspace, gif.id, { key: key("k") }), canceled)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("keeps the keys of workspaces apart", () =>
    Effect.gen(function* () {
      const [mine, theirs] = [yield* makeWorkspace(), yield* makeWorkspace()]
      const first = yield* submit(mine, (yield* upload(mine)).id, { key: key("k") })
      const second = yield* submit(theirs, (yield* upload(theirs)).id, { key: key("k") })
      assert.notStrictEqual(first.id, second.id)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("uses no key up with a refused submit", () =>
    Effect.gen(function* () {
      const workspace = yield* makeContractWorkspace(1, 5)
      const running = yield* submitGif(workspace)
      const gif = yield* upload(workspace)
      assert.strictEqual(yield* tagOf(submit(workspace, gif.id, { key: key("k") })), "CapacityExceeded")
      yield* cancel(running.job)
      assert.strictEqual((yield* submit(workspace, running.gif.id, { key: key("k") }))._tag, "QueuedJob")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("gives one job to many submits of one key at once", () =>
    Effect.gen(function* () {
      const workspace = yield* makeContractWorkspace(50, 50)
      const gif = yield* upload(workspace)
      const jobs = yield* Effect.all(
        Array.from({ length: 20 }, () => submit(workspace, gif.id, { key: key("k") })),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(jobs.map(({ id }) => id)).size, 1)
    }).pipe(Effect.provide(layerTest))
  )
})

describe("Conversions.submit at the limits (§8.3)", () => {
  it.effect("admits exactly the free number of many submits at once", () =>
    Effect.gen(function* () {
      const workspace = yield* makeContractWorkspace(3, 100)
      const gif = yield* upload(workspace)
      const tags = yield* Effect.all(
        Array.from({ length: 40 }, () =>
          submit(workspace, gif.id).pipe(Effect.match({ onFailure: ({ _tag }) => _tag, onSuccess: ({ _tag }) => _tag }))
        ),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(tags.filter((tag) => tag === "QueuedJob").length, 3)
      assert.strictEqual(tags.filter((tag) => tag === "CapacityExceeded").length, 37)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("counts a conversion for 24 hours, with any outcome", () =>
    Effect.gen(function* () {
      const workspace = yield* makeContractWorkspace(1, 2)
      const gif = yield* upload(workspace)
      yield* cancel(yield* submit(workspace, gif.id))
      yield* TestClock.adjust("1 hour")
      yield* cancel(yield* submit(workspace, gif.id))
      assert.strictEqual(yield* tagOf(submit(workspace, gif.id)), "ConversionRateExceeded")
      yield* TestClock.setTime(24 * 3_600_000)
      const again = yield* upload(workspace)
      yield* cancel(yield* submit(workspace, again.id))
      assert.strictEqual(yield* tagOf(submit(workspace, again.id)), "ConversionRateExceeded")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("says after a downgrade when the next one is admitted", () =>
    Effect.gen(function* () {
      const administration = yield* Administration
      const workspace = yield* makeContractWorkspace(1, 12)
      const gif = yield* upload(workspace)
      for (let i = 0; i < 12; i++) {
        yield* cancel(yield* submit(workspace, gif.id))
        yield* TestClock.adjust("1 minute")
      }
      yield* administration.updateWorkspace(workspace.id, { plan: "free" })
      const refused = yield* Effect.flip(submit(workspace, gif.id))
      if (refused._tag !== "ConversionRateExceeded") return assert.fail(refused._tag)
      // Twelve were used where ten are allowed: the third must leave the window.
      assert.strictEqual(DateTime.toEpochMillis(refused.resetAt), 2 * 60_000 + 24 * 3_600_000)
    }).pipe(Effect.provide(layerTest))
  )
})

describe("Conversions: find, list, cancel", () => {
  it.effect("shows a job to its workspace only", () =>
    Effect.gen(function* () {
      const conversions = yield* Conversions
      const [mine, theirs] = [yield* makeWorkspace(), yield* makeWorkspace()]
      const { job } = yield* submitGif(mine)
      assert.strictEqual(yield* tagOf(conversions.find(theirs.id, job.id)), "JobNotFound")
      assert.strictEqual(yield* tagOf(conversions.cancel(theirs.id, job.id)), "JobNotFound")
      for (const id of ["", "mpj_1", `mpj_${"0".repeat(26)}`, mine.id]) {
        assert.strictEqual(yield* tagOf(conversions.find(mine.id, id)), "JobNotFound")
        assert.strictEqual(yield* tagOf(conversions.cancel(mine.id, id)), "JobNotFound")
      }
      assert.deepStrictEqual((yield* conversions.list(theirs.id, Option.none(), firstPage)).items, [])
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("lists jobs newest first, and those of one status", () =>
    Effect.gen(function* () {
      const conversions = yield* Conversions
      const workspace = yield* makeContractWorkspace(5, 5)
      const gif = yield* upload(workspace)
      const first = yield* submit(workspace, gif.id)
      yield* TestClock.adjust(1)
      const second = yield* submit(workspace, gif.id)
      const canceled = yield* cancel(first)
      const list = (status?: "queued" | "failed" | "succeeded") =>
        Effect.map(conversions.list(workspace.id, Option.fromUndefinedOr(status), firstPage), ({ items }) => items)
      assert.deepStrictEqual(yield* list(), [second, canceled])
      assert.deepStrictEqual(yield* list("queued"), [second])
      assert.deepStrictEqual(yield* list("failed"), [canceled])
      assert.deepStrictEqual(yield* list("succeeded"), [])
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("cancels a queued job: failed, not retryable, never started", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const { job } = yield* submitGif(workspace)
      yield* TestClock.setTime(9_000)
      const canceled = yield* cancel(job)
      assert.deepInclude({ ...canceled.failure }, { code: "canceled", retryable: false })
      assert.deepStrictEqual([canceled.startedAt, canceled.attempts], [Option.none(), 0])
      assert.strictEqual(DateTime.toEpochMillis(canceled.completedAt), 9_000)
      assert.deepStrictEqual(yield* findJob(job), canceled)
      assert.strictEqual(yield* tagOf(cancel(job)), "JobAlreadyEnded")
    }).pipe(Effect.provide(layerTest))
  )
})

describe("Conversions with a store that is away (row 13)", () => {
  const failed = Effect.fnUntraced(function* () {
    const workspace = yield* makeWorkspace()
    const gif = yield* upload(workspace)
    return yield* tagOf(submit(workspace, gif.id, { key: key("k") }))
  })

  it.effect("says so, whichever store it is", () =>
    Effect.gen(function* () {
      const once = (operation: string) => failing(operation, { times: 1, when: "before", error: away() })
      const jobs = (operation: string) =>
        Layer.updateService(layerServices, ConversionStore, (store) => faultyConversionStore(store, once(operation)))
      const blobs = Layer.updateService(layerServices, BlobStore, (store) => faultyBlobStore(store, once("size")))
      const records = Layer.updateService(layerServices, MediaStore, (store) => faultyMediaStore(store, once("find")))
      for (const services of [jobs("findByKey"), jobs("submit"), blobs, records]) {
        const tag = yield* failed().pipe(Effect.provide(Layer.provideMerge(services, memory)))
        assert.strictEqual(tag, "StoreUnavailable")
      }
    })
  )

  it.effect("takes no unit and no key when nothing was committed, and gives the job again when it was", () =>
    Effect.gen(function* () {
      const workspace = yield* makeContractWorkspace(1, 1)
      const gif = yield* upload(workspace)
      const again = submit(workspace, gif.id, { key: key("k") })
      assert.strictEqual(yield* tagOf(again), "StoreUnavailable")
      const job = yield* again
      assert.deepStrictEqual(yield* again, job)
      assert.lengthOf((yield* Conversions.use((all) => all.list(workspace.id, Option.none(), firstPage))).items, 1)
    }).pipe(
      Effect.provide(
        layerServices.pipe(
          Layer.updateService(ConversionStore, (store) =>
            faultyConversionStore(store, failing("submit", { times: 1, when: "after", error: away("unknown") }))
          ),
          Layer.provideMerge(memory)
        )
      )
    )
  )
})
