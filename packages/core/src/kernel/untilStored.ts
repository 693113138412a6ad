import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

/** 100 ms, 150 ms, 225 ms … */
const pauses = Schedule.exponential("100 millis", 1.5)

/** If every attempt fails at once, the pauses add up to about 11 seconds. */
const retries = 10

/** Stops the retries early when a single attempt takes as long as a store call may. */
const defaultPatience = Duration.seconds(15)

const isAway = (error: { readonly _tag: string }): boolean => error._tag === "StoreUnavailable"

/**
 * Retries a write while the store is unavailable. For data that can be received only once and would otherwise be lost.
 *
 * No attempt starts later than `patience` after the first. The write must be idempotent: a write that was committed but
 * not confirmed is repeated.
 */
export const untilStored = <A, E extends { readonly _tag: string }, R>(
  write: Effect.Effect<A, E, R>,
  patience: Duration.Duration = defaultPatience
): Effect.Effect<A, E, R> =>
  Effect.retry(write, { while: isAway, schedule: Schedule.upTo(pauses, { duration: patience }), times: retries })
