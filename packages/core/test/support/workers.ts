import { Effect, Exit, Layer, Scope, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import type { ConversionJob, FailedJob, SucceededJob } from "../../src/conversions/ConversionJob.ts"
import { ConversionSignals } from "../../src/conversions/ConversionSignals.ts"
import { ConversionStore } from "../../src/conversions/ConversionStore.ts"
import * as ConversionWorker from "../../src/conversions/ConversionWorker.ts"
import { GifEncoder } from "../../src/conversions/GifEncoder.ts"
import { BlobStore } from "../../src/media/BlobStore.ts"
import * as FakeEncoder from "../../src/testing/FakeEncoder.ts"
import { type Fault, faultyBlobStore, faultyConversionStore, noFault } from "./faults.ts"
import { findJob } from "./fixtures.ts"

export interface WorkerSetup extends Partial<ConversionWorker.ConversionWorkerOptions> {
  /** What its encodings do; all succeed when left out. */
  readonly encoder?: FakeEncoder.FakeEncoderOptions
  /** An encoder of the test's own. */
  readonly engine?: Layer.Layer<GifEncoder>
  /** Between this worker and its stores; other workers and the test see the stores as they are. */
  readonly fault?: Fault
  /** Hears no signals. */
  readonly isDeaf?: boolean
}

/**
 * A worker of its own, with nothing to drain unless said. `stop` ends it as a process that is asked to stop; a test
 * that never calls it stops it at its end. `isLeft` leaves it as it is: for workers that are dead in the test's eyes.
 */
export const startWorker = Effect.fnUntraced(function* (
  { encoder, engine, fault = noFault, isDeaf = false, ...options }: WorkerSetup = {},
  isLeft = false
) {
  const ports = Layer.mergeAll(
    Layer.succeed(ConversionStore, faultyConversionStore(yield* ConversionStore, fault)),
    Layer.succeed(BlobStore, faultyBlobStore(yield* BlobStore, fault)),
    Layer.succeed(
      ConversionSignals,
      isDeaf ? ConversionSignals.of({ tell: () => Effect.void, signals: Stream.never }) : yield* ConversionSignals
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

const hasEnded = (job: ConversionJob): job is SucceededJob | FailedJob =>
  job._tag === "SucceededJob" || job._tag === "FailedJob"

/** Moves the clock until the job has ended; 60 seconds at most unless said. */
export const untilEnded = Effect.fnUntraced(function* (job: ConversionJob, seconds = 60) {
  for (let moved = 0; moved <= seconds * 4; moved++) {
    const now = yield* findJob(job)
    if (hasEnded(now)) return now
    yield* TestClock.adjust("250 millis")
  }
  return yield* Effect.die(new Error(`the job has not ended after ${seconds} seconds`))
})

/** Moves the clock until the job is being worked on. */
export const untilProcessing = Effect.fnUntraced(function* (job: ConversionJob) {
  for (let moved = 0; moved <= 240; moved++) {
    const now = yield* findJob(job)
    if (now._tag === "ProcessingJob") return now
    yield* TestClock.adjust("250 millis")
  }
  return yield* Effect.die(new Error("the job was never claimed"))
})
