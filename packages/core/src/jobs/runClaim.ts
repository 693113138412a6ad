import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type * as Scope from "effect/Scope"
import { LeaseClock } from "../kernel/lease/LeaseClock.ts"
import type { LeaseLost } from "../kernel/lease/LeaseLost.ts"
import { whileLeased } from "../kernel/lease/whileLeased.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { JobFailed } from "./JobErrors.ts"
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

/** For how long after its first claim a job is given to another worker because the encoder here is broken. */
const handBackWithin = Duration.hours(1)

/**
 * Ends a job that failed, or gives it to another worker if the encoder of this one is to blame. Returns how it ended; nothing
 * if it has not.
 */
const settleOrHandBack = Effect.fnUntraced(function* <Task, Code extends string>(
  ports: RunPorts<Task, Code>,
  claim: Claim<Task>,
  { failure, suspectsEncoder = false }: JobFailed<Code>,
  tryOut: Effect.Effect<Trial>
): Effect.fn.Return<string | undefined, LeaseLost | StoreUnavailable> {
  const trial = suspectsEncoder ? yield* tryOut : "works"
  if (trial !== "broken") {
    yield* settleFailed(ports, claim, failure)
    return failure.code
  }
  const { machine } = ports.kind.failures
  const handedBackUntil = DateTime.addDuration(claim.job.startedAt, handBackWithin)
  if (DateTime.isGreaterThan(yield* DateTime.now, handedBackUntil)) {
    yield* settleFailed(ports, claim, machine)
    return machine.code
  }
  yield* ports.store.release(claim, yield* yield* LeaseClock)
  return undefined
})

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
        Effect.catchTag("JobFailed", (failed) => settleOrHandBack(ports, claim, failed, restore(ports.encoder.tryOut)))
      )
    )
    if (outcome === undefined) return yield* Effect.logWarning("a media job was handed back: the encoder is broken")
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
