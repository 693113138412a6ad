import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import { LeaseClock } from "../kernel/LeaseClock.ts"
import { JobFailed } from "./ConversionErrors.ts"
import type { Claim } from "./ConversionStore.ts"
import { failure } from "./failures.ts"
import { render, type RenderPorts } from "./render.ts"
import { settleFailed, type SettlePorts, settleSucceeded } from "./settle.ts"
import * as workerMetrics from "./workerMetrics.ts"

export interface RunClaimOptions {
  readonly lease: Duration.Duration
  readonly processingLimit: Duration.Input
}

/** How often a job's progress may be written: a job of two seconds shows several steps, a short one none. */
const progressEvery = Duration.millis(250)

/** Below 1, which is for a job that has succeeded. */
const greatestProgress = 0.99

/** Prolongs the lease and writes the progress until the lease is lost. */
const heartbeat = Effect.fnUntraced(function* (
  { store }: SettlePorts,
  { lease }: RunClaimOptions,
  claim: Claim,
  progress: () => number
) {
  const leaseNow = yield* LeaseClock
  const every = BigInt(Math.floor(Duration.toMillis(lease) / 3)) * 1_000_000n
  // What the store has: the encoder may have told more before the first beat.
  let written = claim.job.progress
  let renewedAt = yield* Clock.monotonicTimeNanos
  const beat = Effect.gen(function* () {
    yield* Effect.sleep(progressEvery)
    const now = yield* Clock.monotonicTimeNanos
    const reached = progress()
    if (reached === written && now - renewedAt < every) return
    yield* store.renew(claim, DateTime.addDuration(yield* leaseNow, lease), reached)
    written = reached
    renewedAt = now
  })
  return yield* beat.pipe(
    // The lease may outlive a store that is away for a moment; if not, the next beat finds it lost.
    Effect.catchTag("StoreUnavailable", (error) => Effect.logWarning("a lease was not prolonged", error)),
    Effect.forever,
    Effect.catchTag("LeaseLost", () => Metric.update(workerMetrics.lostLeases, 1))
  )
})

const note = Effect.fnUntraced(function* (outcome: string, startedNanos: bigint) {
  const elapsed = Number((yield* Clock.monotonicTimeNanos) - startedNanos) / 1e9
  yield* Metric.update(Metric.withAttributes(workerMetrics.ended, { outcome }), 1)
  yield* Metric.update(workerMetrics.seconds, elapsed)
  yield* Effect.logInfo("conversion ended").pipe(Effect.annotateLogs({ outcome, seconds: elapsed }))
})

/** Renders and settles one claimed job, under its time limit. What was rendered is settled whole or not at all. */
const renderAndSettle = (
  ports: RenderPorts & SettlePorts,
  options: RunClaimOptions,
  claim: Claim,
  onProgress: (fraction: number) => Effect.Effect<void>
) =>
  Effect.gen(function* () {
    const started = yield* Clock.monotonicTimeNanos
    const settled = Effect.uninterruptibleMask((restore) =>
      restore(
        render(ports, claim, onProgress).pipe(
          Effect.timeoutOrElse({
            duration: options.processingLimit,
            orElse: () => Effect.fail(new JobFailed({ failure: failure("processing_timeout", true) }))
          })
        )
      ).pipe(
        Effect.flatMap((rendered) => settleSucceeded(ports, claim, rendered)),
        Effect.as("succeeded"),
        Effect.catchTag("JobFailed", (failed) =>
          Effect.as(settleFailed(ports, claim, failed.failure), failed.failure.code)
        )
      )
    )
    const outcome = yield* Effect.scoped(settled)
    yield* note(outcome, started)
  }).pipe(
    Effect.catchTags({
      LeaseLost: () => Metric.update(workerMetrics.lostLeases, 1),
      StoreUnavailable: (error) => Effect.logError("a conversion was not settled; its lease will end", error)
    })
  )

/**
 * Works on one claimed job until it is settled, its lease is lost or it is canceled.
 *
 * Interruption is a shutdown: the encoder is ended and the job handed back, so that another worker has it at once.
 */
export const runClaim = Effect.fn("ConversionWorker.runClaim")(
  function* (ports: RenderPorts & SettlePorts, options: RunClaimOptions, claim: Claim, canceled: Effect.Effect<void>) {
    const leaseNow = yield* LeaseClock
    let progress = claim.job.progress
    const onProgress = (fraction: number) =>
      Effect.sync(() => {
        progress = Math.max(progress, Math.min(fraction, greatestProgress))
      })
    yield* Effect.raceAllFirst([
      renderAndSettle(ports, options, claim, onProgress),
      heartbeat(ports, options, claim, () => progress),
      canceled
    ]).pipe(
      Effect.onInterrupt(() =>
        Effect.flatMap(leaseNow, (now) => ports.store.release(claim, now)).pipe(
          Effect.catchTags({
            LeaseLost: () => Effect.void,
            StoreUnavailable: (error) => Effect.logWarning("a job was not handed back; its lease will end", error)
          })
        )
      )
    )
  },
  (effect, _ports, _options, claim) =>
    Effect.annotateLogs(effect, { job_id: claim.job.id, workspace_id: claim.job.workspaceId })
)
