import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import type { ConversionJob } from "@loopbox/core/conversions/ConversionJob"
import { JobSignals } from "@loopbox/core/jobs/JobSignals"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import * as ConversionWorker from "@loopbox/core/conversions/ConversionWorker"
import { GifEncoder } from "@loopbox/core/conversions/GifEncoder"
import type { JobWorkerOptions } from "@loopbox/core/jobs/jobWorker"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import * as FakeEncoder from "../fakes/FakeEncoder.ts"
import { type Fault, faultyBlobStore, faultyConversionStore, noFault } from "../fakes/faults.ts"
import { findJob } from "../fixtures/mediaFixtures.ts"

export interface WorkerSetup extends Partial<JobWorkerOptions> {
  /** What its encodings do. Default: they succeed. */
  readonly encoder?: FakeEncoder.FakeEncoderOptions
  /** A custom encoder. */
  readonly engine?: Layer.Layer<GifEncoder>
  /** Applied to this worker's store calls only. */
  readonly fault?: Fault
  /** Receives no signals. */
  readonly isDeaf?: boolean
}

/**
 * Starts a worker, by default without a drain. `stop` shuts it down like a process; otherwise it stops at the end of
 * the test. `isLeft` never stops it, to simulate a crashed worker.
 */
export const startWorker = Effect.fnUntraced(function* (
  { encoder, engine, fault = noFault, isDeaf = false, ...options }: WorkerSetup = {},
  isLeft = false
) {
  const ports = Layer.mergeAll(
    Layer.succeed(ConversionStore, faultyConversionStore(yield* ConversionStore, fault)),
    Layer.succeed(BlobStore, faultyBlobStore(yield* BlobStore, fault)),
    Layer.succeed(
      JobSignals,
      isDeaf ? JobSignals.of({ tell: () => Effect.void, signals: Stream.never }) : yield* JobSignals
    ),
    Layer.succeed(SecureRandom.SecureRandom, yield* SecureRandom.SecureRandom),
    engine ?? FakeEncoder.layer(encoder)
  )
  const scope = yield* Scope.make()
  const stop = Scope.close(scope, Exit.void)
  if (!isLeft) yield* Effect.addFinalizer(() => stop)
  yield* Layer.buildWithScope(ConversionWorker.layer({ drain: 0, ...options }).pipe(Layer.provide(ports)), scope)
  return { stop }
})

type EndedJob = Extract<ConversionJob, { readonly _tag: "SucceededJob" | "FailedJob" }>

const hasEnded = (job: ConversionJob): job is EndedJob => job._tag === "SucceededJob" || job._tag === "FailedJob"

/** Moves the clock until the job has ended; by default at most 60 seconds. */
export const untilEnded = Effect.fnUntraced(function* (job: ConversionJob, seconds = 60) {
  for (let moved = 0; moved <= seconds * 4; moved++) {
    const now = yield* findJob(job)
    if (hasEnded(now)) return now
    yield* TestClock.adjust("250 millis")
  }
  return yield* Effect.die(new Error(`the job has not ended after ${seconds} seconds`))
})

/** Moves the clock until the job is processing. */
export const untilProcessing = Effect.fnUntraced(function* (job: ConversionJob) {
  for (let moved = 0; moved <= 240; moved++) {
    const now = yield* findJob(job)
    if (now._tag === "ProcessingJob") return now
    yield* TestClock.adjust("250 millis")
  }
  return yield* Effect.die(new Error("the job was never claimed"))
})
