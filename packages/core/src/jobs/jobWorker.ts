import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Stream from "effect/Stream"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { inTraceOf } from "../kernel/recordTrace.ts"
import type { ProbeEngine } from "../encoding/Engine.ts"
import type { ConversionJobId } from "../kernel/Ids.ts"
import { claimLoop, type LeaseRequest } from "../kernel/lease/claimLoop.ts"
import type { LoopName } from "../kernel/lease/LoopName.ts"
import { BlobStore } from "../media/BlobStore.ts"
import { gifLimits } from "../media/gif/GifLimits.ts"
import type { JobKind } from "./JobKind.ts"
import type { JobMetrics } from "./jobMetrics.ts"
import { JobSignals } from "./JobSignals.ts"
import type { Claim, JobStore } from "./JobStore.ts"
import { type Render, runClaim } from "./runClaim.ts"
import { watchEncoder } from "./watchEncoder.ts"

export interface JobWorkerOptions {
  /** Concurrent jobs of this process; one whose video is stored, and which is only being settled, does not count. */
  readonly atOnce: number
  /** Lease of a job; the heartbeat is a third of it. */
  readonly lease: Duration.Input
  /** Time limit from claim to video (§8.2: five minutes). */
  readonly processingLimit: Duration.Input
  /** How long running jobs may continue after shutdown starts. */
  readonly drain: Duration.Input
  /** Fallback poll interval of an idle worker, in case a signal is lost. */
  readonly pollEvery: Duration.Input
  /** Largest video; §8.2 allows 4 GB. */
  readonly maxOutputBytes: number
  /** A job fails when the lease of this attempt is lost. */
  readonly maxAttempts: number
}

export const defaultOptions: JobWorkerOptions = {
  atOnce: 1,
  lease: "15 seconds",
  processingLimit: "5 minutes",
  drain: "30 seconds",
  pollEvery: "1 second",
  maxOutputBytes: gifLimits.output_bytes,
  maxAttempts: 3
}

export interface JobWork<Task, Code extends string> {
  readonly kind: JobKind<Task, Code>
  readonly store: JobStore<Task, Code>
  readonly render: Render<Task, Code>
  readonly metrics: JobMetrics
  /** Tries the encoder that `render` uses. */
  readonly probe: ProbeEngine
  /** Names of the loop that claims, and of the one that is woken by signals. */
  readonly loops: { readonly claim: { readonly loop: LoopName }; readonly wakeUps: { readonly loop: LoopName } }
}

/**
 * Claims and settles the jobs of one kind until its scope closes (design §7).
 *
 * A worker whose encoder cannot encode claims nothing until it can: what waits is for another worker.
 *
 * When the scope closes, it stops claiming, gives running jobs `drain` to finish, then interrupts and releases the
 * rest.
 */
export const workOnJobs = Effect.fnUntraced(function* <Task, Code extends string>(
  work: JobWork<Task, Code>,
  options: JobWorkerOptions
) {
  const { kind, loops, metrics, store } = work
  const { signals } = yield* JobSignals
  const lease = Duration.fromInputUnsafe(options.lease)
  const encoder = yield* watchEncoder(kind.name, work.probe)
  const ports = { ...work, encoder, blobs: yield* BlobStore, random: yield* SecureRandom }
  const canceled = new Map<ConversionJobId, Deferred.Deferred<void>>()
  // With 0 from the start, since a missing metric looks like an unsupported one.
  yield* Effect.forEach([metrics.claims, metrics.lostLeases], (counter) => Metric.update(counter, 0), { discard: true })

  /** `Submitted` wakes the loop, unless it is of the other kind; `Canceled` interrupts the job if it runs here. */
  const hints = signals.pipe(
    Stream.tap((signal) => {
      const running = signal._tag === "Canceled" ? canceled.get(signal.jobId) : undefined
      return running === undefined ? Effect.void : Deferred.succeed(running, undefined)
    }),
    Stream.filter((signal) => signal._tag === "Submitted" && (signal.kind ?? kind.name) === kind.name)
  )

  /** Claims one job, if any, and counts the jobs that are failed as abandoned meanwhile. */
  const claim = Effect.fnUntraced(function* (request: LeaseRequest) {
    if (!(yield* encoder.mayClaim)) return []
    for (;;) {
      const outcome = yield* store.claim({
        ...request,
        now: yield* DateTime.now,
        maxAttempts: options.maxAttempts
      })
      if (outcome._tag === "Nothing") return []
      if (outcome._tag === "Claimed") return [outcome.claim]
      yield* Effect.logWarning("a media job was given up: its workers were lost").pipe(
        Effect.annotateLogs({ kind: kind.name, job_id: outcome.job.id, workspace_id: outcome.job.workspaceId })
      )
      yield* Metric.update(Metric.withAttributes(metrics.ended, { outcome: outcome.job.failure.code }), 1)
    }
  })

  const run = Effect.fnUntraced(function* (held: Claim<Task>, free: Effect.Effect<void>) {
    const { id } = held.job
    const cancel = yield* Deferred.make<void>()
    canceled.set(id, cancel)
    yield* Metric.update(metrics.claims, 1)
    yield* runClaim({ ...ports, isMade: free }, { ...options, lease }, held, Deferred.await(cancel)).pipe(
      inTraceOf(id, "job.run"),
      Effect.ensuring(Effect.sync(() => canceled.delete(id)))
    )
  })

  yield* claimLoop({
    ...options,
    ...loops.claim,
    claimAtOnce: 1,
    claim,
    run,
    wakeUps: { ...loops.wakeUps, hints }
  })
})
