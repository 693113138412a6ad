import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Latch, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Conversions } from "../../src/conversions/Conversions.ts"
import type { ConversionFailureCode, ConversionJob, ConversionTask } from "../../src/conversions/ConversionJob.ts"
import { type JobSignal, JobSignals } from "../../src/jobs/JobSignals.ts"
import type * as Jobs from "../../src/jobs/MediaJob.ts"
import type { EncodeFailed } from "../../src/encoding/EncodeFailed.ts"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { BlobStore } from "../../src/media/BlobStore.ts"
import type { ReadyMedia } from "../../src/media/Media.ts"
import { animatedGif, sampleGif } from "@loopbox/testing/fakes/gifSamples"
import { tinyMp4 } from "@loopbox/testing/fakes/tinyMp4"
import type { EncodeScript } from "@loopbox/testing/fakes/FakeEncoder"
import { engineThat } from "@loopbox/testing/fakes/engines"
import { failing, noFault } from "@loopbox/testing/fakes/faults"
import {
  away,
  blobKeys,
  bytesOf,
  findJob,
  findMedia,
  makeContractWorkspace,
  makeWorkspace,
  smallGif,
  submit,
  submitGif,
  textBytes,
  upload
} from "@loopbox/testing/fixtures/mediaFixtures"
import { layerTest } from "@loopbox/testing/layers/testLayers"
import { startWorker, untilEnded, untilProcessing } from "@loopbox/testing/layers/workers"

const succeeded = (job: ConversionJob): Jobs.SucceededJob<ConversionTask> =>
  job._tag === "SucceededJob" ? job : assert.fail(`${job._tag} ${job._tag === "FailedJob" ? job.failure.code : ""}`)
const failed = (job: ConversionJob): Jobs.FailedJob<ConversionTask, ConversionFailureCode> =>
  job._tag === "FailedJob" ? job : assert.fail(job._tag)
const ready = (media: { readonly _tag: string } | ReadyMedia): ReadyMedia =>
  "blobKey" in media ? media : assert.fail("no bytes")
const millis = DateTime.toEpochMillis
const day = 86_400_000

/** Ends every job with this and says how it failed. */
const failureOf = Effect.fnUntraced(function* (
  gif: Uint8Array,
  script: EncodeScript = { kind: "succeed" },
  maxOutputBytes = 1_000_000
) {
  yield* startWorker({ encoder: { script: () => script }, maxOutputBytes })
  const { job } = yield* submitGif(yield* makeWorkspace(), gif)
  const { code, retryable } = failed(yield* untilEnded(job)).failure
  // Only the upload is left.
  assert.lengthOf(yield* blobKeys, 1)
  return { code, retryable }
})

describe("ConversionWorker: a job that succeeds (§2.3)", () => {
  it.effect("makes a media record of the video, kept like its input by the plan's days", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("growth")
      const gif = yield* upload(workspace, smallGif, { filename: "Dancing cat.GIF" })
      yield* TestClock.setTime(day)
      yield* startWorker({ encoder: { script: () => ({ kind: "succeed", samples_bytes: 1000 }) } })
      const job = succeeded(yield* untilEnded(yield* submit(workspace, gif.id)))
      assert.strictEqual(job.attempts, 1)
      assert.isAtLeast(millis(job.startedAt), day)
      const until = millis(job.completedAt) + 15 * day
      const output = ready(yield* findMedia(workspace, job.outputMediaId))
      assert.deepInclude({ ...output }, { contentType: "video/mp4", source: "gif_conversion" })
      assert.deepStrictEqual(output.jobId, Option.some(job.id))
      assert.deepStrictEqual(output.filename, Option.some("Dancing cat.mp4"))
      assert.deepStrictEqual(
        [output.width, output.height, output.durationMs],
        [Option.some(32), Option.some(32), Option.some(5000)]
      )
      assert.strictEqual(millis(output.keepUntil), until)
      assert.strictEqual(millis((yield* findMedia(workspace, gif.id)).keepUntil), until)
      const bytes = yield* bytesOf(output)
      assert.strictEqual(bytes.length, output.sizeBytes)
      assert.deepStrictEqual(bytes, tinyMp4({ width: 32, height: 32, pictures: 150 }, 1000))
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("is begun without waiting for the next look, because a submit wakes the worker", () =>
    Effect.gen(function* () {
      yield* startWorker({ pollEvery: "1 hour" })
      yield* TestClock.adjust("2 seconds")
      const { job } = yield* submitGif(yield* makeWorkspace())
      succeeded(yield* untilEnded(job, 1))
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("is not looked for when a job of the other kind was submitted", () =>
    Effect.gen(function* () {
      const { tell } = yield* JobSignals
      let looks = 0
      const count = (call: string) => Effect.sync(() => void (looks += call === "claim" ? 1 : 0))
      yield* startWorker({ pollEvery: "1 hour", fault: { ...noFault, before: count } })
      yield* TestClock.adjust("2 seconds")
      const told = Effect.fnUntraced(function* (signal: JobSignal) {
        const before = looks
        yield* tell(signal)
        yield* TestClock.adjust("1 second")
        yield* TestClock.adjust("1 second")
        return looks - before
      })
      assert.strictEqual(yield* told({ _tag: "Submitted", kind: "audio_overlay" }), 0)
      assert.strictEqual(yield* told({ _tag: "Submitted", kind: "gif_to_mp4" }), 1)
      // Of another version, or after the signals were lost for a while.
      assert.strictEqual(yield* told({ _tag: "Submitted" }), 1)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("is found by the fallback poll if its notification is lost", () =>
    Effect.gen(function* () {
      yield* startWorker({ pollEvery: "5 seconds", isDeaf: true })
      yield* TestClock.adjust("1 second")
      const { job } = yield* submitGif(yield* makeWorkspace())
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual((yield* findJob(job))._tag, "QueuedJob")
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* findJob(job))._tag, "SucceededJob")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("shows a progress that never falls and is below 1 until the end", () =>
    Effect.gen(function* () {
      const steps = [0.2, 0.6, 0.4, 0.9, 1]
      const engine = engineThat(({ onProgress }) =>
        Effect.forEach(steps, (step) => Effect.andThen(onProgress(step), Effect.sleep("1 second")), { discard: true })
      )
      yield* startWorker({ engine })
      const { job } = yield* submitGif(yield* makeWorkspace())
      const seen: Array<number> = []
      for (let moved = 0; moved < 5_200; moved += 200) {
        const now = yield* findJob(job)
        if (now._tag === "ProcessingJob") seen.push(now.progress)
        yield* TestClock.adjust("200 millis")
      }
      succeeded(yield* findJob(job))
      assert.deepStrictEqual(
        seen.toSorted((a, b) => a - b),
        seen
      )
      assert.isBelow(Math.max(...seen), 1)
      assert.isAtLeast(new Set(seen).size, 4)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("takes jobs in the order in which they came, as many at once as it may", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const gates = new Map<string, Deferred.Deferred<void>>()
      const engine = engineThat(({ name }) =>
        Effect.gen(function* () {
          order.push(name.slice(0, 30))
          const gate = yield* Deferred.make<void>()
          gates.set(name.slice(0, 30), gate)
          yield* Deferred.await(gate)
        })
      )
      const workspace = yield* makeContractWorkspace(10, 10)
      const gif = yield* upload(workspace)
      const jobs = yield* Effect.forEach(Array.from({ length: 5 }), () =>
        Effect.tap(submit(workspace, gif.id), () => TestClock.adjust("1 second"))
      )
      yield* startWorker({ engine, atOnce: 2 })
      yield* TestClock.adjust("1 second")
      assert.strictEqual(order.length, 2)
      for (const { id } of jobs) {
        yield* Deferred.succeed(gates.get(id) ?? assert.fail("not begun in its turn"), undefined)
        yield* TestClock.adjust("1 second")
      }
      assert.deepStrictEqual(
        order,
        jobs.map(({ id }) => id)
      )
      for (const job of jobs) succeeded(yield* findJob(job))
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("does not wait for the database to be told of the one before, and only one may be ahead of it", () =>
    Effect.gen(function* () {
      const workspace = yield* makeContractWorkspace(10, 10)
      const gif = yield* upload(workspace)
      const jobs = yield* Effect.replicateEffect(submit(workspace, gif.id), 3)
      const begun: Array<string> = []
      const engine = engineThat(({ name }) => Effect.sync(() => void begun.push(name.slice(0, 30))))
      const told = yield* Latch.make()
      const fault = { ...noFault, before: (call: string) => (call === "succeed" ? told.await : Effect.void) }
      yield* startWorker({ engine, fault })
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(begun.length, 2)
      yield* told.open
      for (const job of jobs) assert.strictEqual(succeeded(yield* untilEnded(job)).attempts, 1)
      assert.deepStrictEqual(begun.toSorted(), jobs.map(({ id }) => id).toSorted())
    }).pipe(Effect.provide(layerTest))
  )
})

describe("ConversionWorker: a job that fails (§7.3)", () => {
  const verdicts: ReadonlyArray<readonly [string, string, Uint8Array]> = [
    [
      "a side over 4096 pixels",
      "gif_dimensions_exceeded",
      sampleGif({ width: 4097, height: 1, images: [{ width: 1 }] })
    ],
    ["text after the signature", "gif_probe_failed", textBytes("GIF89a and then only words, no pictures at all")],
    ["an image that is cut off", "gif_decode_failed", animatedGif([10]).subarray(0, -6)],
    ["a cycle over 60 seconds", "gif_duration_exceeded", animatedGif([3000, 3001], { width: 2, height: 2 })],
    [
      "over 2,000 frames",
      "gif_frame_count_exceeded",
      animatedGif(
        Array.from({ length: 2001 }, () => 2),
        { width: 1, height: 1 }
      )
    ],
    [
      "over 1.5 billion pixels",
      "gif_decode_budget_exceeded",
      sampleGif({
        width: 4096,
        height: 4096,
        images: Array.from({ length: 90 }, () => ({ width: 1, height: 1, delay_cs: 2 }))
      })
    ]
  ]
  for (const [what, code, gif] of verdicts) {
    it.effect(`ends with ${code} for ${what}, and starts no encoder`, () =>
      Effect.gen(function* () {
        let started = 0
        yield* startWorker({
          encoder: {
            script: () => {
              started++
              return { kind: "succeed" }
            }
          }
        })
        const { job } = yield* submitGif(yield* makeWorkspace(), gif)
        const { failure } = failed(yield* untilEnded(job))
        assert.deepStrictEqual([failure.code, failure.retryable], [code, false])
        assert.strictEqual(started, 0)
      }).pipe(Effect.provide(layerTest))
    )
  }

  const reasons: ReadonlyArray<readonly [EncodeFailed["reason"], string, boolean]> = [
    ["Undecodable", "gif_decode_failed", false],
    ["OutputTooLarge", "output_size_exceeded", false],
    ["Rejected", "gif_conversion_failed", false],
    ["MachineFailed", "gif_conversion_failed", true]
  ]
  for (const [reason, code, retryable] of reasons) {
    it.effect(`ends with ${code}, retryable ${retryable}, when the encoder says ${reason}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* failureOf(smallGif, { kind: "fail", reason }), { code, retryable })
      }).pipe(Effect.provide(layerTest))
    )
  }

  it.effect("ends with output_size_exceeded when the video is one byte over the limit, not at it", () =>
    Effect.gen(function* () {
      const { length } = tinyMp4({ width: 32, height: 32, pictures: 150 }, 500)
      const script: EncodeScript = { kind: "succeed", samples_bytes: 500 }
      const expected = { code: "output_size_exceeded" as const, retryable: false }
      assert.deepStrictEqual(yield* failureOf(smallGif, script, length - 1), expected)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("keeps the input for the plan's days after a failure, and makes no output", () =>
    Effect.gen(function* () {
      const state = yield* MemoryState
      yield* startWorker({ encoder: { script: () => ({ kind: "fail", reason: "MachineFailed" }) } })
      const workspace = yield* makeWorkspace("basic")
      const { gif, job } = yield* submitGif(workspace)
      const { completedAt } = failed(yield* untilEnded(job))
      assert.strictEqual(millis((yield* findMedia(workspace, gif.id)).keepUntil), millis(completedAt) + 8 * day)
      assert.strictEqual(state.media.size, 1)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("ends with input_media_unavailable when the bytes are gone before it begins", () =>
    Effect.gen(function* () {
      const { gif, job } = yield* submitGif(yield* makeWorkspace())
      yield* BlobStore.use((blobs) => blobs.remove(gif.blobKey))
      yield* startWorker()
      const { failure } = failed(yield* untilEnded(job))
      assert.deepStrictEqual([failure.code, failure.retryable], ["input_media_unavailable", false])
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("ends with input_media_unavailable when the record is lost", () =>
    Effect.gen(function* () {
      const state = yield* MemoryState
      const { gif, job } = yield* submitGif(yield* makeWorkspace())
      state.media.delete(gif.id)
      yield* startWorker()
      assert.strictEqual(failed(yield* untilEnded(job)).failure.code, "input_media_unavailable")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("ends with output_upload_failed, retryable, when the video cannot be stored", () =>
    Effect.gen(function* () {
      yield* startWorker({ fault: failing("write", { times: 9, when: "before", error: away() }) })
      const { job } = yield* submitGif(yield* makeWorkspace())
      const { failure } = failed(yield* untilEnded(job))
      assert.deepStrictEqual([failure.code, failure.retryable], ["output_upload_failed", true])
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("ends with gif_conversion_failed, retryable, when the GIF cannot be read now", () =>
    Effect.gen(function* () {
      yield* startWorker({ fault: failing("read", { times: 1, when: "before", error: away() }) })
      const { job } = yield* submitGif(yield* makeWorkspace())
      const { failure } = failed(yield* untilEnded(job))
      assert.deepStrictEqual([failure.code, failure.retryable], ["gif_conversion_failed", true])
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("ends with gif_conversion_failed, retryable, when the store of files gives a part of the GIF only", () =>
    Effect.gen(function* () {
      const { gif, job } = yield* submitGif(yield* makeWorkspace())
      const blobs = yield* BlobStore
      const [whole] = yield* Stream.runCollect(blobs.read(gif.blobKey))
      yield* blobs.remove(gif.blobKey)
      yield* blobs.write(gif.blobKey, Stream.fromIterable(whole === undefined ? [] : [whole.subarray(0, 20)]))
      yield* startWorker()
      const { failure } = failed(yield* untilEnded(job))
      assert.deepStrictEqual([failure.code, failure.retryable], ["gif_conversion_failed", true])
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("ends with processing_timeout, retryable, at exactly five minutes from its claim", () =>
    Effect.gen(function* () {
      const { job } = yield* submitGif(yield* makeWorkspace())
      yield* TestClock.adjust("10 minutes")
      yield* startWorker({ encoder: { script: () => ({ kind: "hang" }) } })
      yield* TestClock.adjust(0)
      yield* TestClock.adjust(5 * 60_000 - 1)
      const running = yield* findJob(job)
      if (running._tag !== "ProcessingJob") return assert.fail(running._tag)
      yield* TestClock.adjust(1)
      const { completedAt, failure } = failed(yield* findJob(job))
      assert.deepStrictEqual([failure.code, failure.retryable], ["processing_timeout", true])
      assert.strictEqual(millis(completedAt) - millis(running.startedAt), 300_000)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("lets the worker continue with the next job after any outcome", () =>
    Effect.gen(function* () {
      let count = 0
      const engine = engineThat(() =>
        Effect.suspend(() => (count++ === 0 ? Effect.die(new Error("a bug in the encoder")) : Effect.void))
      )
      yield* startWorker({ engine })
      const workspace = yield* makeContractWorkspace(2, 10)
      const first = yield* submitGif(workspace)
      const second = yield* submitGif(workspace)
      succeeded(yield* untilEnded(second.job, 10))
      // The lease of the job that met the bug ends, and another attempt is made.
      assert.strictEqual(succeeded(yield* untilEnded(first.job, 30)).attempts, 2)
    }).pipe(Effect.provide(layerTest))
  )
})

describe("ConversionWorker: cancel", () => {
  const cancel = (job: ConversionJob) => Conversions.use((conversions) => conversions.cancel(job.workspaceId, job.id))

  it.effect("of a queued job: it is never begun", () =>
    Effect.gen(function* () {
      let started = 0
      const { job } = yield* submitGif(yield* makeWorkspace())
      yield* cancel(job)
      yield* startWorker({
        encoder: {
          script: () => {
            started++
            return { kind: "succeed" }
          }
        }
      })
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(failed(yield* findJob(job)).failure.code, "canceled")
      assert.strictEqual(started, 0)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("of a running job: it has failed at once, its encoder is ended, and nothing is left of the video", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<void>()
      const engine = engineThat(() => Effect.never.pipe(Effect.onInterrupt(() => Deferred.succeed(ended, undefined))))
      yield* startWorker({ engine })
      const { gif, job } = yield* submitGif(yield* makeWorkspace())
      yield* untilProcessing(job)
      const canceled = yield* cancel(job)
      assert.strictEqual(canceled.failure.code, "canceled")
      yield* TestClock.adjust(0)
      assert.isTrue(yield* Deferred.isDone(ended))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* findJob(job), canceled)
      assert.deepStrictEqual(yield* blobKeys, [gif.blobKey])
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("that comes while the video is being stored: the job stays canceled, the bytes go", () =>
    Effect.gen(function* () {
      const [writing, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const pause = Effect.andThen(Deferred.succeed(writing, undefined), Deferred.await(go))
      const after = (operation: string) => (operation === "write" ? pause : Effect.void)
      yield* startWorker({ fault: { before: () => Effect.void, after } })
      const { gif, job } = yield* submitGif(yield* makeWorkspace())
      yield* Deferred.await(writing)
      assert.lengthOf(yield* blobKeys, 2)
      const canceled = yield* cancel(job)
      yield* Deferred.succeed(go, undefined)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* findJob(job), canceled)
      assert.deepStrictEqual(yield* blobKeys, [gif.blobKey])
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("without a signal: the encoder is stopped at the next heartbeat", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<void>()
      const engine = engineThat(() => Effect.never.pipe(Effect.onInterrupt(() => Deferred.succeed(ended, undefined))))
      yield* startWorker({ engine, isDeaf: true })
      const { job } = yield* submitGif(yield* makeWorkspace())
      yield* untilProcessing(job)
      yield* cancel(job)
      assert.isFalse(yield* Deferred.isDone(ended))
      yield* TestClock.adjust("5250 millis")
      assert.isTrue(yield* Deferred.isDone(ended))
    }).pipe(Effect.provide(layerTest))
  )
})
