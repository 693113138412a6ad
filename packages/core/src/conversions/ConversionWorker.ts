import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { type ConversionJobId, toBase32 } from "../kernel/Ids.ts"
import { LeaseClock } from "../kernel/LeaseClock.ts"
import { BlobStore } from "../media/BlobStore.ts"
import { ConversionSignals } from "./ConversionSignals.ts"
import { ConversionStore } from "./ConversionStore.ts"
import { GifEncoder } from "./GifEncoder.ts"
import { gifLimits } from "./GifLimits.ts"
import { runClaim } from "./runClaim.ts"
import * as workerMetrics from "./workerMetrics.ts"

export interface ConversionWorkerOptions {
  /** Jobs that this process works on at once. */
  readonly atOnce: number
  /** How long a job stays with a worker that is not heard of; a third of it is the heartbeat. */
  readonly lease: Duration.Input
  /** From claim to video (§8.2: five minutes). */
  readonly processingLimit: Duration.Input
  /** How long running jobs may go on when the worker is stopped. */
  readonly drain: Duration.Input
  /** The net under the signals: how often an idle worker looks by itself. */
  readonly pollEvery: Duration.Input
  /** Largest video; §8.2 allows 4 GB. */
  readonly maxOutputBytes: number
  /** A job whose lease was lost in its attempt of this number fails. */
  readonly maxAttempts: number
}

export const defaultOptions: ConversionWorkerOptions = {
  atOnce: 1,
  lease: "15 seconds",
  processingLimit: "5 minutes",
  drain: "30 seconds",
  pollEvery: "1 second",
  maxOutputBytes: gifLimits.output_bytes,
  maxAttempts: 3
}

/**
 * Claims and settles conversion jobs as long as its scope lives (design §7).
 *
 * When the scope closes it claims no more, lets running jobs finish for `drain`, then ends the rest and hands them
 * back at once.
 */
export const layer = (
  given: Partial<ConversionWorkerOptions> = {}
): Layer.Layer<never, never, ConversionStore | ConversionSignals | BlobStore | GifEncoder | SecureRandom> =>
  Layer.effectDiscard(work({ ...defaultOptions, ...given }))

const work = Effect.fnUntraced(function* (options: ConversionWorkerOptions) {
  const store = yield* ConversionStore
  const { signals } = yield* ConversionSignals
  const blobs = yield* BlobStore
  const encoder = yield* GifEncoder
  const random = yield* SecureRandom
  const leaseNow = yield* LeaseClock
  const lease = Duration.fromInputUnsafe(options.lease)
  const ports = { store, blobs, encoder, random, maxOutputBytes: options.maxOutputBytes }
  const wakeUps = yield* Queue.sliding<void>(options.atOnce)
  const canceled = new Map<ConversionJobId, Deferred.Deferred<void>>()
  const stop = yield* Deferred.make<void>()
  yield* workerMetrics.begin

  yield* signals.pipe(
    Stream.runForEach((signal) => {
      if (signal._tag === "Submitted") return Queue.offer(wakeUps, undefined)
      const running = canceled.get(signal.jobId)
      return running === undefined ? Effect.void : Deferred.succeed(running, undefined)
    }),
    Effect.forkScoped
  )

  const claim = Effect.gen(function* () {
    const token = toBase32(yield* random.randomBytes(16))
    const now = yield* leaseNow
    return yield* store.claim({
      token,
      now: yield* DateTime.now,
      leaseNow: now,
      leaseUntil: DateTime.addDuration(now, lease),
      maxAttempts: options.maxAttempts
    })
  }).pipe(
    Effect.catchTag("StoreUnavailable", (error) =>
      Effect.as(Effect.logWarning("the conversion worker waits for its store", error), { _tag: "Nothing" } as const)
    ),
    // A bug must not end the worker for good: it is logged, and the next look tries again.
    Effect.catchDefect((defect) =>
      Effect.as(Effect.logError("the conversion worker met a bug", defect), { _tag: "Nothing" } as const)
    )
  )

  const idle = Effect.raceAllFirst([Queue.take(wakeUps), Effect.sleep(options.pollEvery), Deferred.await(stop)])

  const slot = Effect.gen(function* () {
    while (!Deferred.isDoneUnsafe(stop)) {
      const outcome = yield* claim
      if (outcome._tag === "Nothing") {
        yield* idle
      } else if (outcome._tag === "Abandoned") {
        yield* Effect.logWarning("a conversion was given up: its workers were lost").pipe(
          Effect.annotateLogs({ job_id: outcome.job.id, workspace_id: outcome.job.workspaceId })
        )
        yield* Metric.update(Metric.withAttributes(workerMetrics.ended, { outcome: outcome.job.failure.code }), 1)
      } else {
        const { id } = outcome.claim.job
        const cancel = yield* Deferred.make<void>()
        canceled.set(id, cancel)
        yield* Metric.update(workerMetrics.claims, 1)
        yield* runClaim(ports, { ...options, lease }, outcome.claim, Deferred.await(cancel)).pipe(
          Effect.catchDefect((defect) => Effect.logError("a conversion met a bug; its lease will end", defect)),
          Effect.ensuring(Effect.sync(() => canceled.delete(id)))
        )
      }
    }
  })

  // Each slot outlives a stop for as long as the drain allows, so the scope does not own it; the finalizer ends it.
  const slots = yield* Effect.forEach(Array.from({ length: options.atOnce }), () => Effect.forkDetach(slot))
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      yield* Deferred.succeed(stop, undefined)
      yield* Fiber.awaitAll(slots).pipe(Effect.timeoutOption(options.drain))
      yield* Fiber.interruptAll(slots)
    })
  )
})
