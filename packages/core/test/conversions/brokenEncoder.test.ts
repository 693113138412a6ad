import { assert, describe, it } from "@effect/vitest"
import { Effect, Metric } from "effect"
import { TestClock } from "effect/testing"
import type { ConversionJob } from "../../src/conversions/ConversionJob.ts"
import { EngineBroken, EngineMissing } from "../../src/encoding/Engine.ts"
import { findJob, makeWorkspace, submitGif } from "@loopbox/testing/fixtures/mediaFixtures"
import { layerTest } from "@loopbox/testing/layers/testLayers"
import { startWorker, untilEnded } from "@loopbox/testing/layers/workers"
import type { FakeEncoderOptions } from "@loopbox/testing/fakes/FakeEncoder"

/** An encoder that fails on everything until it is mended; `trials` counts how often it was tried. */
const makeBroken = (reason: "Undecodable" | "Rejected" | "MachineFailed" = "Undecodable") => {
  let isMended = false
  let trials = 0
  const encoder: FakeEncoderOptions = {
    script: () => (isMended ? { kind: "succeed" } : { kind: "fail", reason }),
    probe: Effect.suspend(() => {
      trials += 1
      return isMended ? Effect.void : Effect.fail(new EngineBroken({ detail: "it exits with 1" }))
    })
  }
  return { encoder, mend: () => void (isMended = true), trials: () => trials }
}

const outcomeOf = (job: ConversionJob) =>
  job._tag === "FailedJob" ? `${job.failure.code} ${job.failure.retryable}` : job._tag

/** What the gauge of the encoder shows. */
const works = Effect.map(Metric.snapshot, (all) => {
  const found = all.find(
    ({ attributes, id }) => id === "loopbox_encoder_works" && attributes?.["kind"] === "gif_to_mp4"
  )
  return found?.type === "Gauge" ? Number(found.state.value) : undefined
})

describe("a worker whose encoder fails on everything", () => {
  it.effect.each(["Undecodable", "Rejected", "MachineFailed"] as const)(
    "fails one job, to be submitted again, and takes no other until its encoder works: %s",
    (reason) =>
      Effect.gen(function* () {
        const { encoder, mend } = makeBroken(reason)
        yield* startWorker({ encoder })
        const workspace = yield* makeWorkspace("growth")
        const { job: first } = yield* submitGif(workspace)
        assert.strictEqual(outcomeOf(yield* untilEnded(first, 5)), "gif_conversion_failed true")
        const { job: second } = yield* submitGif(workspace)
        yield* TestClock.adjust("5 minutes")
        assert.strictEqual((yield* findJob(second))._tag, "QueuedJob")
        assert.strictEqual(yield* works, 0)
        mend()
        assert.strictEqual(outcomeOf(yield* untilEnded(second, 6)), "SucceededJob")
        assert.strictEqual(yield* works, 1)
      }).pipe(Effect.provide(layerTest))
  )

  it.effect("leaves what waits to a worker that can encode", () =>
    Effect.gen(function* () {
      yield* startWorker({ encoder: makeBroken().encoder })
      const workspace = yield* makeWorkspace("growth")
      yield* untilEnded((yield* submitGif(workspace)).job, 5)
      const { job } = yield* submitGif(workspace)
      yield* startWorker({})
      assert.strictEqual(outcomeOf(yield* untilEnded(job, 2)), "SucceededJob")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("tries it each 5 seconds, no more often", () =>
    Effect.gen(function* () {
      const { encoder, trials } = makeBroken()
      yield* startWorker({ encoder })
      yield* submitGif(yield* makeWorkspace())
      yield* TestClock.adjust("1 second")
      assert.strictEqual(trials(), 1)
      for (let second = 0; second < 60; second++) yield* TestClock.adjust("1 second")
      assert.isAtLeast(trials(), 11)
      assert.isAtMost(trials(), 13)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("is tried again after a trial that ended by a defect", () =>
    Effect.gen(function* () {
      const { encoder, mend, trials } = makeBroken()
      let isDying = false
      const probe = Effect.suspend(() => (isDying ? Effect.die("no such trial") : (encoder.probe ?? Effect.void)))
      yield* startWorker({ encoder: { ...encoder, probe } })
      const workspace = yield* makeWorkspace("growth")
      yield* untilEnded((yield* submitGif(workspace)).job, 5)
      const { job } = yield* submitGif(workspace)
      const before = trials()
      isDying = true
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(trials(), before)
      isDying = false
      mend()
      assert.strictEqual(outcomeOf(yield* untilEnded(job, 6)), "SucceededJob")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("is told by a job that ran into its time limit as well", () =>
    Effect.gen(function* () {
      const probe = Effect.fail(new EngineBroken({ detail: "it hangs" }))
      yield* startWorker({ encoder: { script: () => ({ kind: "hang" }), probe } })
      const { job } = yield* submitGif(yield* makeWorkspace())
      yield* TestClock.adjust("6 minutes")
      assert.strictEqual(outcomeOf(yield* findJob(job)), "processing_timeout true")
      assert.strictEqual(yield* works, 0)
    }).pipe(Effect.provide(layerTest))
  )
})

describe("a worker whose encoder takes long for its trial", () => {
  it.effect("claims with a whole lease afterwards, so that nobody takes the job from it", () =>
    Effect.gen(function* () {
      const { encoder, mend } = makeBroken()
      const begun: Array<string> = []
      const slow = Effect.suspend(() => Effect.delay(encoder.probe ?? Effect.void, "16 seconds"))
      const script: FakeEncoderOptions["script"] = (work) => {
        begun.push(work.name)
        return begun.length === 1
          ? { kind: "fail", reason: "Undecodable" }
          : { kind: "succeed", gate: Effect.sleep("9 seconds") }
      }
      yield* startWorker({ encoder: { script, probe: slow } })
      const workspace = yield* makeWorkspace("growth")
      yield* untilEnded((yield* submitGif(workspace)).job, 20)
      mend()
      const { job } = yield* submitGif(workspace)
      while ((yield* findJob(job))._tag === "QueuedJob") yield* TestClock.adjust("250 millis")
      yield* startWorker({ encoder: { script } })
      yield* untilEnded(job)
      assert.strictEqual(begun.length, 2)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("stops at once", () =>
    Effect.gen(function* () {
      const { encoder } = makeBroken()
      let trials = 0
      const probe = Effect.suspend(() => {
        trials += 1
        return trials === 1 ? (encoder.probe ?? Effect.void) : Effect.never
      })
      const worker = yield* startWorker({ encoder: { ...encoder, probe }, drain: "30 seconds" })
      yield* submitGif(yield* makeWorkspace())
      for (let second = 0; second < 10; second++) yield* TestClock.adjust("1 second")
      assert.strictEqual(trials, 2)
      const stopping = yield* Effect.forkChild(worker.stop)
      yield* TestClock.adjust("1 second")
      const hasStopped = stopping.pollUnsafe() !== undefined
      yield* TestClock.adjust("1 minute")
      assert.isTrue(hasStopped)
    }).pipe(Effect.provide(layerTest))
  )
})

describe("a worker whose encoder passes its trial", () => {
  it.effect("blames the file", () =>
    Effect.gen(function* () {
      yield* startWorker({ encoder: { script: () => ({ kind: "fail", reason: "Undecodable" }) } })
      const { job } = yield* submitGif(yield* makeWorkspace())
      assert.strictEqual(outcomeOf(yield* untilEnded(job)), "gif_decode_failed false")
      assert.strictEqual(yield* works, 1)
    }).pipe(Effect.provide(layerTest))
  )
})

describe("a worker without any encoder", () => {
  it.effect("goes on, and shows in the gauge when it has one again", () =>
    Effect.gen(function* () {
      let isThere = false
      const encoder: FakeEncoderOptions = {
        script: () => (isThere ? { kind: "succeed" } : { kind: "fail", reason: "MachineFailed" }),
        probe: Effect.suspend(() => (isThere ? Effect.void : Effect.fail(new EngineMissing({ detail: "none" }))))
      }
      yield* startWorker({ encoder })
      const workspace = yield* makeWorkspace("growth")
      yield* untilEnded((yield* submitGif(workspace)).job, 2)
      assert.strictEqual(yield* works, 0)
      isThere = true
      const { job } = yield* submitGif(workspace)
      assert.strictEqual(outcomeOf(yield* untilEnded(job, 2)), "SucceededJob")
      yield* TestClock.adjust("6 seconds")
      assert.strictEqual(yield* works, 1)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("fails its jobs at once, each to be submitted again, and says so in the gauge", () =>
    Effect.gen(function* () {
      const encoder: FakeEncoderOptions = {
        script: () => ({ kind: "fail", reason: "MachineFailed" }),
        missing: new EngineMissing({ detail: "none was found" })
      }
      yield* startWorker({ encoder })
      const { job } = yield* submitGif(yield* makeWorkspace())
      assert.strictEqual(outcomeOf(yield* untilEnded(job, 2)), "gif_conversion_failed true")
      assert.strictEqual(yield* works, 0)
    }).pipe(Effect.provide(layerTest))
  )
})
