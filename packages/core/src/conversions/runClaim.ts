import * as Clock from "effect/Clock"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import { JobFailed } from "./ConversionErrors.ts"
import type { Claim } from "./ConversionStore.ts"
import { failure } from "./failures.ts"
import { render, type RenderPorts } from "./render.ts"
import { settleFailed, type SettlePorts, settleSucceeded } from "./settle.ts"
import * as workerMetrics from "./workerMetrics.ts"
import { whileLeased } from "../kernel/lease/whileLeased.ts"

export interface RunClaimOptions {
  readonly lease: Duration.Duration
  readonly processingLimit: Duration.Input
}

/**
 * Shortest interval between two writes of the progress: a job of two seconds shows several steps, a shorter one none.
 */
const progressEvery = Duration.millis(250)

/** Below 1, which means succeeded. */
const greatestProgress = 0.99

/** A heartbeat that also writes the progress: often while it changes, else after a third of the lease. */
const makeRenew = Effect.fnUntraced(function* (
  { store }: SettlePorts,
  { lease }: RunClaimOptions,
  claim: Claim,
  progress: () => number
) {
  const every = BigInt(Math.floor(Duration.toMillis(lease) / 3)) * 1_000_000n
  // The stored progress; the encoder may have reported more before the first heartbeat.
  let written = claim.job.progress
  let renewedAt = yield* Clock.monotonicTimeNanos
  return Effect.fnUntraced(function* (leaseUntil: DateTime.Utc) {
    const now = yield* Clock.monotonicTimeNanos
    const reached = progress()
    if (reached === written && now - renewedAt < every) return
    yield* store.renew(claim, leaseUntil, reached)
    written = reached
    renewedAt = now
  })
})

const note = Effect.fnUntraced(function* (outcome: string, startedNanos: bigint) {
  const elapsed = Number((yield* Clock.monotonicTimeNanos) - startedNanos) / 1e9
  yield* Metric.update(Metric.withAttributes(workerMetrics.ended, { outcome }), 1)
  yield* Metric.update(workerMetrics.seconds, elapsed)
  yield* Effect.logInfo("conversion ended").pipe(Effect.annotateLogs({ outcome, seconds: elapsed }))
})

/** Renders and settles one claimed job within its time limit. Once rendered, settling is not interrupted. */
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
  })

/**
 * Processes one claimed job until it is settled, its lease is lost or it is canceled.
 *
 * Interruption means shutdown: the encoder is stopped and the job released, so that another worker can claim it at
 * once.
 */
export const runClaim = Effect.fn("ConversionWorker.runClaim")(
  function* (ports: RenderPorts & SettlePorts, options: RunClaimOptions, claim: Claim, canceled: Effect.Effect<void>) {
    let progress = claim.job.progress
    const onProgress = (fraction: number) =>
      Effect.sync(() => {
        progress = Math.max(progress, Math.min(fraction, greatestProgress))
      })
    yield* whileLeased(Effect.raceFirst(renderAndSettle(ports, options, claim, onProgress), canceled), {
      lease: options.lease,
      beatEvery: progressEvery,
      renew: yield* makeRenew(ports, options, claim, () => progress),
      release: (now) => ports.store.release(claim, now)
    })
  },
  Effect.catchTags({
    LeaseLost: () =>
      Effect.andThen(
        Metric.update(workerMetrics.lostLeases, 1),
        Effect.logInfo("a conversion was stopped: it was canceled, or its lease was lost to another worker")
      ),
    StoreUnavailable: (error) => Effect.logError("a conversion was not settled; its lease will end", error)
  }),
  (effect, _ports, _options, claim) =>
    Effect.annotateLogs(effect, { job_id: claim.job.id, workspace_id: claim.job.workspaceId })
)
