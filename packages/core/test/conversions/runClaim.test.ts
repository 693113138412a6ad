import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { ConversionFailureCode, ConversionJob, ConversionTask } from "../../src/conversions/ConversionJob.ts"
import type * as Jobs from "../../src/jobs/MediaJob.ts"
import { BlobStore } from "../../src/media/BlobStore.ts"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { engineThat, hangingEngine } from "@loopbox/testing/fakes/engines"
import { type Fault, failing, pausing } from "@loopbox/testing/fakes/faults"
import {
  away,
  blobKeys,
  findJob,
  findMedia,
  makeContractWorkspace,
  makeWorkspace,
  submit,
  submitGif
} from "@loopbox/testing/fixtures/mediaFixtures"
import { layerTest } from "@loopbox/testing/layers/testLayers"
import { startWorker, untilEnded, untilProcessing } from "@loopbox/testing/layers/workers"

const succeeded = (job: ConversionJob): Jobs.SucceededJob<ConversionTask> =>
  job._tag === "SucceededJob" ? job : assert.fail(job._tag)
const failed = (job: ConversionJob): Jobs.FailedJob<ConversionTask, ConversionFailureCode> =>
  job._tag === "FailedJob" ? job : assert.fail(job._tag)
const processing = (job: ConversionJob): Jobs.ProcessingJob<ConversionTask> =>
  job._tag === "ProcessingJob" ? job : assert.fail(job._tag)

/** The job has one output, whose bytes are there; no other bytes are left but the input's. */
const expectOneOutput = Effect.fnUntraced(function* (
  workspace: Parameters<typeof findMedia>[0],
  job: Jobs.SucceededJob<ConversionTask>
) {
  const blobs = yield* BlobStore
  const state = yield* MemoryState
  const output = yield* findMedia(workspace, job.outputMediaId)
  if (output._tag === "PendingMedia") return assert.fail("the output is pending")
  assert.strictEqual((yield* blobs.size(output.blobKey))._tag, "Some")
  assert.strictEqual(state.media.size, 2)
  assert.lengthOf(yield* blobKeys, 2)
})

/** Starts a worker that never ends its work, lets it claim, and lets it die without a word. */
const claimAndDie = Effect.fnUntraced(function* (job: ConversionJob, attempt: number) {
  const { fault, pause } = pausing()
  yield* startWorker({ engine: hangingEngine, fault }, true)
  for (let moved = 0; moved < 80; moved++) {
    const now = yield* findJob(job)
    if (now._tag === "ProcessingJob" && now.attempts === attempt) break
    yield* TestClock.adjust("250 millis")
  }
  assert.strictEqual(processing(yield* findJob(job)).attempts, attempt)
  yield* pause
})

describe("a lease (design §7)", () => {
  it.effect("is kept by heartbeats however long the work takes", () =>
    Effect.gen(function* () {
      const engine = engineThat(() => Effect.sleep("4 minutes"))
      const { job } = yield* submitGif(yield* makeWorkspace())
      yield* startWorker({ engine })
      yield* startWorker({ engine })
      assert.strictEqual(succeeded(yield* untilEnded(job, 245)).attempts, 1)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("of a worker that died ends after 15 seconds, and not before; another worker has the job then", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const { job } = yield* submitGif(workspace)
      const { fault, pause } = pausing()
      yield* startWorker({ engine: hangingEngine, fault }, true)
      yield* TestClock.adjust(0)
      const { startedAt } = processing(yield* findJob(job))
      yield* pause
      yield* startWorker({ pollEvery: "100 millis" })
      yield* TestClock.adjust(14_999)
      assert.strictEqual(processing(yield* findJob(job)).attempts, 1)
      yield* TestClock.adjust(1)
      const ended = succeeded(yield* findJob(job))
      assert.strictEqual(ended.attempts, 2)
      assert.deepStrictEqual(ended.startedAt, startedAt)
      yield* expectOneOutput(workspace, ended)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("that was lost makes the late result count no more: it is discarded and its bytes go", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const { job } = yield* submitGif(workspace)
      const { fault, pause, resume } = pausing("succeed", "renew")
      yield* pause
      yield* startWorker({ fault })
      yield* TestClock.adjust("1 second")
      // The first worker has stored its video and hangs before it can say so.
      assert.lengthOf(yield* blobKeys, 2)
      yield* startWorker()
      yield* TestClock.adjust("16 seconds")
      const ended = succeeded(yield* findJob(job))
      assert.lengthOf(yield* blobKeys, 3)
      yield* resume
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* findJob(job), ended)
      yield* expectOneOutput(workspace, ended)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("that was lost makes a late failure count no more", () =>
    Effect.gen(function* () {
      const { job } = yield* submitGif(yield* makeWorkspace())
      const { fault, pause, resume } = pausing("fail", "renew")
      yield* pause
      yield* startWorker({ fault, encoder: { script: () => ({ kind: "fail", reason: "Rejected" }) } })
      yield* TestClock.adjust("1 second")
      yield* startWorker()
      const ended = succeeded(yield* untilEnded(job))
      yield* resume
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* findJob(job), ended)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("that was lost ends the encoder of its worker at the next heartbeat", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<void>()
      const engine = engineThat(() => Effect.never.pipe(Effect.onInterrupt(() => Deferred.succeed(ended, undefined))))
      const { job } = yield* submitGif(yield* makeWorkspace())
      const { fault, pause, resume } = pausing("renew")
      yield* startWorker({ engine, fault })
      yield* untilProcessing(job)
      yield* pause
      yield* startWorker()
      yield* untilEnded(job)
      assert.isFalse(yield* Deferred.isDone(ended))
      yield* resume
      yield* TestClock.adjust("250 millis")
      assert.isTrue(yield* Deferred.isDone(ended))
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("lost in the third attempt ends the job: gif_conversion_failed, retryable", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const { gif, job } = yield* submitGif(workspace)
      for (const attempt of [1, 2, 3]) yield* claimAndDie(job, attempt)
      const { startedAt } = processing(yield* findJob(job))
      yield* startWorker()
      const ended = failed(yield* untilEnded(job))
      assert.deepStrictEqual([ended.failure.code, ended.failure.retryable], ["gif_conversion_failed", true])
      assert.strictEqual(ended.attempts, 3)
      assert.deepStrictEqual(ended.startedAt._tag === "Some" ? ended.startedAt.value : undefined, startedAt)
      const kept = DateTime.toEpochMillis((yield* findMedia(workspace, gif.id)).keepUntil)
      assert.strictEqual(kept, DateTime.toEpochMillis(ended.completedAt) + 2 * 86_400_000)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("lost twice does not keep the third attempt from succeeding", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const { job } = yield* submitGif(workspace)
      yield* claimAndDie(job, 1)
      yield* claimAndDie(job, 2)
      yield* startWorker()
      const ended = succeeded(yield* untilEnded(job))
      assert.strictEqual(ended.attempts, 3)
      yield* expectOneOutput(workspace, ended)
    }).pipe(Effect.provide(layerTest))
  )
})

describe("a worker that is stopped (design §7)", () => {
  it.effect("lets a running job finish within the drain, and begins no other", () =>
    Effect.gen(function* () {
      const engine = engineThat(() => Effect.sleep("20 seconds"))
      const workspace = yield* makeContractWorkspace(5, 5)
      const { gif, job } = yield* submitGif(workspace)
      const worker = yield* startWorker({ engine, drain: "30 seconds" })
      yield* untilProcessing(job)
      const next = yield* submit(workspace, gif.id)
      const stopping = yield* Effect.forkChild(worker.stop)
      yield* TestClock.adjust("21 seconds")
      yield* Fiber.join(stopping)
      assert.strictEqual(succeeded(yield* findJob(job)).attempts, 1)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* findJob(next))._tag, "QueuedJob")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("after the drain ends the encoder and hands the job back at once, without consuming an attempt", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<void>()
      const engine = engineThat(() => Effect.never.pipe(Effect.onInterrupt(() => Deferred.succeed(ended, undefined))))
      const workspace = yield* makeWorkspace()
      const { job } = yield* submitGif(workspace)
      const worker = yield* startWorker({ engine, drain: "30 seconds" })
      yield* untilProcessing(job)
      const stopping = yield* Effect.forkChild(worker.stop)
      yield* TestClock.adjust(29_999)
      assert.isFalse(yield* Deferred.isDone(ended))
      yield* TestClock.adjust(1)
      yield* Fiber.join(stopping)
      assert.isTrue(yield* Deferred.isDone(ended))
      processing(yield* findJob(job))
      yield* startWorker()
      yield* TestClock.adjust(0)
      const done = succeeded(yield* findJob(job))
      assert.strictEqual(done.attempts, 1)
      yield* expectOneOutput(workspace, done)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("any number of times keeps a job from nothing: hand-backs never add up to a failure", () =>
    Effect.gen(function* () {
      const { job } = yield* submitGif(yield* makeWorkspace())
      for (let i = 0; i < 6; i++) {
        const worker = yield* startWorker({ engine: hangingEngine })
        yield* TestClock.adjust("1 second")
        yield* worker.stop
      }
      yield* startWorker()
      assert.strictEqual(succeeded(yield* untilEnded(job)).attempts, 1)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("while idle is gone at once", () =>
    Effect.gen(function* () {
      const worker = yield* startWorker({ drain: "30 seconds", atOnce: 3 })
      yield* TestClock.adjust("1 second")
      yield* worker.stop
      const { job } = yield* submitGif(yield* makeWorkspace())
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* findJob(job))._tag, "QueuedJob")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("leaves during an outage of its store, too; the lease expires", () =>
    Effect.gen(function* () {
      const { job } = yield* submitGif(yield* makeWorkspace())
      const fault = failing("release", { times: 1, when: "before", error: away() })
      const worker = yield* startWorker({ engine: hangingEngine, fault })
      yield* untilProcessing(job)
      yield* worker.stop
      yield* startWorker()
      assert.strictEqual(succeeded(yield* untilEnded(job)).attempts, 2)
    }).pipe(Effect.provide(layerTest))
  )
})

describe("a store that is away for a while", () => {
  const outages: ReadonlyArray<readonly [string, Fault]> = [
    ["before a claim", failing("claim", { times: 5, when: "before", error: away() })],
    ["at heartbeats", failing("renew", { times: 20, when: "before", error: away() })],
    ["at the end", failing("succeed", { times: 12, when: "before", error: away() })],
    ["at the end, after it has committed", failing("succeed", { times: 12, when: "after", error: away("unknown") })]
  ]
  for (const [when, fault] of outages) {
    it.effect(`${when} loses nothing, and the job is settled once, in its first attempt`, () =>
      Effect.gen(function* () {
        const workspace = yield* makeWorkspace()
        const { job } = yield* submitGif(workspace)
        yield* startWorker({ engine: engineThat(() => Effect.sleep("8 seconds")), fault })
        const ended = succeeded(yield* untilEnded(job))
        yield* TestClock.adjust("2 minutes")
        assert.deepStrictEqual(yield* findJob(job), ended)
        assert.strictEqual(ended.attempts, 1)
        yield* expectOneOutput(workspace, ended)
      }).pipe(Effect.provide(layerTest))
    )
  }

  for (const when of ["before", "after"] as const) {
    it.effect(`when a job fails, ${when} the commit, loses nothing either`, () =>
      Effect.gen(function* () {
        const { job } = yield* submitGif(yield* makeWorkspace())
        const error = away(when === "before" ? "no" : "unknown")
        yield* startWorker({
          fault: failing("fail", { times: 12, when, error }),
          encoder: { script: () => ({ kind: "fail", reason: "Rejected" }) }
        })
        const ended = failed(yield* untilEnded(job))
        yield* TestClock.adjust("2 minutes")
        assert.deepStrictEqual(yield* findJob(job), ended)
        assert.strictEqual(ended.attempts, 1)
      }).pipe(Effect.provide(layerTest))
    )
  }

  it.effect("after it took a claim leaves the job to the end of that lease", () =>
    Effect.gen(function* () {
      const { job } = yield* submitGif(yield* makeWorkspace())
      yield* startWorker({ fault: failing("claim", { times: 1, when: "after", error: away("unknown") }) })
      assert.strictEqual(succeeded(yield* untilEnded(job)).attempts, 2)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("longer than a worker waits brings the job to another attempt", () =>
    Effect.gen(function* () {
      const { job } = yield* submitGif(yield* makeWorkspace())
      yield* startWorker({ fault: failing("succeed", { times: 20, when: "before", error: away() }) })
      assert.strictEqual(succeeded(yield* untilEnded(job, 120)).attempts, 2)
    }).pipe(Effect.provide(layerTest))
  )
})
