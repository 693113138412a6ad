import * as Clock from "effect/Clock"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type * as Scope from "effect/Scope"
import { whileLeased } from "../kernel/lease/whileLeased.ts"
import { JobFailed } from "./JobErrors.ts"
import type { JobFailure } from "./MediaJob.ts"
import type { JobMetrics } from "./jobMetrics.ts"
import type { Claim } from "./JobStore.ts"
import type { RenderedVideo } from "./RenderedVideo.ts"
import { settleFailed, type SettlePorts, settleSucceeded } from "./settle.ts"
import type { EncoderWatch, Trial } from "./watchEncoder.ts"

/** Makes the video of a claimed job, and tells its progress. Fails with the failure for the customer. */
export type Render<Task, Code extends string> = (
  claim: Claim<Task>,
  onProgress: (fraction: number) => Effect.Effect<void>
) => Effect.Effect<RenderedVideo, JobFailed<Code>, Scope.Scope>

export interface RunPorts<Task, Code extends string> extends SettlePorts<Task, Code> {
  readonly render: Render<Task, Code>
  readonly metrics: JobMetrics
  readonly encoder: EncoderWatch
}

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
const makeRenew = Effect.fnUntraced(function* <Task, Code extends string>(
  { store }: SettlePorts<Task, Code>,
  { lease }: RunClaimOptions,
  claim: Claim<Task>,
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

const note = Effect.fnUntraced(function* <Task, Code extends string>(
  { kind, metrics }: RunPorts<Task, Code>,
  outcome: string,
  startedNanos: bigint
) {
  const elapsed = Number((yield* Clock.monotonicTimeNanos) - startedNanos) / 1e9
  yield* Metric.update(Metric.withAttributes(metrics.ended, { outcome }), 1)
  yield* Metric.update(metrics.seconds, elapsed)
  yield* Effect.logInfo(`${kind.what} ended`).pipe(Effect.annotateLogs({ outcome, seconds: elapsed }))
})

/**
 * How a job fails that ended with `failed`. The encoder is tried where it may be to blame: if it cannot encode at all, its
 * failure says nothing about the files, and the job may be submitted again, as where no encoder is found.
 */
const judgeFailure = <Task, Code extends string>(
  { kind }: RunPorts<Task, Code>,
  { failure, suspectsEncoder = false }: JobFailed<Code>,
  tryOut: Effect.Effect<Trial>
): Effect.Effect<JobFailure<Code>> =>
  suspectsEncoder
    ? Effect.map(tryOut, (trial) => (trial === "broken" && !failure.retryable ? kind.failures.machine : failure))
    : Effect.succeed(failure)

/**
 * Renders and settles one claimed job within its time limit. Once rendered, settling is not interrupted.
 *
 * The encoder is tried after the files of the failed work are gone: a job that fills the disk must fail, not make its worker
 * look broken.
 */
const renderAndSettle = <Task, Code extends string>(
  ports: RunPorts<Task, Code>,
  options: RunClaimOptions,
  claim: Claim<Task>,
  onProgress: (fraction: number) => Effect.Effect<void>
) =>
  Effect.gen(function* () {
    const started = yield* Clock.monotonicTimeNanos
    const timedOut = new JobFailed({ failure: ports.kind.failures.timedOut, suspectsEncoder: true })
    const outcome = yield* Effect.uninterruptibleMask((restore) =>
      restore(
        ports
          .render(claim, onProgress)
          .pipe(Effect.timeoutOrElse({ duration: options.processingLimit, orElse: () => Effect.fail(timedOut) }))
      ).pipe(
        Effect.flatMap((rendered) => settleSucceeded(ports, claim, rendered)),
        Effect.as("succeeded"),
        Effect.scoped,
        Effect.catchTag("JobFailed", (failed) =>
          Effect.gen(function* () {
            const failure = yield* judgeFailure(ports, failed, restore(ports.encoder.tryOut))
            yield* settleFailed(ports, claim, failure)
            return String(failure.code)
          })
        )
      )
    )
    yield* note(ports, outcome, started)
  })

/**
 * Processes one claimed job until it is settled, its lease is lost or it is canceled.
 *
 * Interruption means shutdown: the encoder is stopped and the job released, so that another worker can claim it at
 * once.
 */
export const runClaim = Effect.fn("jobs.runClaim")(
  function* <Task, Code extends string>(
    ports: RunPorts<Task, Code>,
    options: RunClaimOptions,
    claim: Claim<Task>,
    canceled: Effect.Effect<void>
  ) {
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
  (effect, { kind, metrics }, _options, claim) =>
    effect.pipe(
      Effect.catchTags({
        LeaseLost: () =>
          Effect.andThen(
            Metric.update(metrics.lostLeases, 1),
            Effect.logInfo("a media job was stopped: it was canceled, or its lease was lost to another worker")
          ),
        StoreUnavailable: (error) => Effect.logError("a media job was not settled; its lease will end", error)
      }),
      Effect.annotateLogs({ kind: kind.name, job_id: claim.job.id, workspace_id: claim.job.workspaceId })
    )
)
