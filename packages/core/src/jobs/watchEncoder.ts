import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { ProbeEngine } from "../encoding/Engine.ts"
import type { JobKindName } from "./JobKind.ts"
import { encoderWorks } from "./jobMetrics.ts"

/**
 * What a trial showed. A `missing` program is told apart: nothing here can convert, and a job that fails at once, and may be
 * submitted again, serves its customer better than one that waits for an installation.
 */
export type Trial = "works" | "broken" | "missing"

/** Whether a worker's own encoder is able to encode. */
export interface EncoderWatch {
  /** Tries the encoder after a failure for which it may be to blame. */
  readonly tryOut: Effect.Effect<Trial>
  /** Whether jobs may be claimed. Never waits for a trial: the lease of the claim was counted from before it. */
  readonly mayClaim: Effect.Effect<boolean>
}

/** Between two trials of a broken encoder: soon enough for one that was mended, and a trial takes little of a processor. */
const tryEvery = Duration.seconds(5)

/** How often the log repeats that an encoder is still broken. */
const repeatEvery = Duration.hours(1)

/**
 * Watches the encoder of one worker, until the scope closes. It is taken for good until a job fails: a trial at the start
 * would show nothing of the hours after it. From a failed trial on it is tried again from time to time, beside the claims.
 */
export const watchEncoder = Effect.fnUntraced(function* (kind: JobKindName, probe: ProbeEngine) {
  const scope = yield* Effect.scope
  let state: Trial = "works"
  let isTrying = false
  let triedAt = 0n
  let toldAt = 0n
  const hasPassed = (since: bigint, now: bigint, wait: Duration.Duration) => now - since >= Duration.toNanosUnsafe(wait)
  const tell = (works: number) => Metric.update(Metric.withAttributes(encoderWorks, { kind }), works)
  yield* tell(1)

  const broke = Effect.fnUntraced(function* (detail: string) {
    const now = yield* Clock.monotonicTimeNanos
    if (state !== "broken" || hasPassed(toldAt, now, repeatEvery)) {
      toldAt = now
      yield* Effect.logError(`the encoder cannot encode; no job is claimed until it can: ${detail}`)
    }
    return "broken" as const
  })
  // A program that was there and is gone may be on its way back, as while a package is upgraded.
  const missing = (detail: string) => (state === "broken" ? broke(detail) : Effect.succeed("missing" as const))
  const works = Effect.suspend(() =>
    state === "works" ? Effect.void : Effect.logInfo("the encoder encodes again; jobs are claimed")
  ).pipe(Effect.as("works" as const))

  const tryOut: Effect.Effect<Trial> = Effect.gen(function* () {
    state = yield* Effect.matchEffect(probe, {
      onFailure: (error) => (error._tag === "EngineMissing" ? missing(error.detail) : broke(error.detail)),
      onSuccess: () => works
    })
    yield* tell(state === "works" ? 1 : 0)
    return state
  }).pipe(
    Effect.ensuring(Effect.map(Clock.monotonicTimeNanos, (now) => void (triedAt = now))),
    Effect.annotateLogs({ kind })
  )

  const tryAgain = Effect.gen(function* () {
    if (isTrying || !hasPassed(triedAt, yield* Clock.monotonicTimeNanos, tryEvery)) return
    isTrying = true
    const ended = Effect.sync(() => {
      isTrying = false
    })
    const trial = Effect.catchDefect(tryOut, (defect) =>
      Effect.logError("the trial of the encoder ended early", defect)
    )
    yield* Effect.forkIn(Effect.ensuring(trial, ended), scope)
  })

  const mayClaim = Effect.gen(function* () {
    if (state !== "works") yield* tryAgain
    return state !== "broken"
  })

  const watch: EncoderWatch = { tryOut, mayClaim }
  return watch
})
