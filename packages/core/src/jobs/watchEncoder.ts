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
  /** Whether jobs may be claimed. Tries a broken encoder again, from time to time. */
  readonly mayClaim: Effect.Effect<boolean>
}

/** Between two trials of a broken encoder: soon enough for one that was mended, and a trial takes little of a processor. */
const tryEvery = Duration.seconds(5)

/**
 * Watches the encoder of one worker. It is taken for good until a job fails: a trial at the start would show nothing of the
 * hours after it.
 */
export const watchEncoder = Effect.fnUntraced(function* (kind: JobKindName, probe: ProbeEngine) {
  let isBroken = false
  let triedAt = 0n
  const tell = (works: number) => Metric.update(Metric.withAttributes(encoderWorks, { kind }), works)
  yield* tell(1)

  const broke = Effect.fnUntraced(function* (detail: string) {
    if (!isBroken) {
      yield* Effect.logError(`the encoder cannot encode; no job is claimed until it can: ${detail}`)
    }
    isBroken = true
    yield* tell(0)
    return "broken" as const
  })
  const missing = Effect.fnUntraced(function* (detail: string) {
    // A program that was there and is gone may be on its way back, as while a package is upgraded.
    if (isBroken) return yield* broke(detail)
    yield* tell(0)
    return "missing" as const
  })
  const works = Effect.gen(function* () {
    if (isBroken) yield* Effect.logInfo("the encoder encodes again; jobs are claimed")
    isBroken = false
    yield* tell(1)
    return "works" as const
  })

  const tryOut: Effect.Effect<Trial> = Effect.gen(function* () {
    const trial = yield* Effect.matchEffect(probe, {
      onFailure: (error) => (error._tag === "EngineMissing" ? missing(error.detail) : broke(error.detail)),
      onSuccess: () => works
    })
    triedAt = yield* Clock.monotonicTimeNanos
    return trial
  }).pipe(Effect.annotateLogs({ kind }))

  const mayClaim = Effect.gen(function* () {
    if (!isBroken) return true
    if ((yield* Clock.monotonicTimeNanos) - triedAt < Duration.toNanosUnsafe(tryEvery)) return false
    return (yield* tryOut) === "works"
  })

  const watch: EncoderWatch = { tryOut, mayClaim }
  return watch
})
