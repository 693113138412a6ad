import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

/** Pauses after the first, second … failed attempt (api-2.md §15). */
const pauses = [
  "5 seconds",
  "30 seconds",
  "2 minutes",
  "10 minutes",
  "30 minutes",
  "1 hour",
  "2 hours",
  "4 hours",
  "8 hours",
  "12 hours",
  "24 hours"
] as const satisfies ReadonlyArray<Duration.Input>

/** How far a pause may lie beside what the schedule says: endpoints that failed together are not tried together. */
const jitter = 0.1

/**
 * How long after the end of the `attempts`th failed attempt in a row the next one is due; none after the last.
 *
 * @param random From 0 to below 1.
 */
export const pauseAfter = (attempts: number, random: number): Option.Option<Duration.Duration> =>
  Option.map(Option.fromUndefinedOr(pauses[attempts - 1]), (pause) =>
    Duration.millis(Math.round(Duration.toMillis(pause) * (1 - jitter + 2 * jitter * random)))
  )

/** Attempts of a delivery before it has failed. */
export const mostAttempts = pauses.length + 1
