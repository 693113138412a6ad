import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"

/** How often accounts are polled by themselves. */
export interface PollPace {
  /** Interval between two polls of a lively account. */
  readonly every: Duration.Duration
  /** A quiet account is polled up to so many times less often; 1: as often as a lively one. */
  readonly quietFactor: number
}

/** By default a quiet account is polled a third as often: a network without webhooks stays usable. */
export const defaultQuietFactor = 3

/** An account is polled so many times within the time for which it has been quiet. */
const pollsWhileQuiet = 12

/**
 * The pause until an account's next poll. Pure.
 *
 * It grows with the time since the account was last alive: something new arrived for it, or somebody asked for a poll.
 * An account that has been quiet for less than 12 intervals is polled at the interval.
 */
export const pauseOf = (
  { every, quietFactor }: PollPace,
  aliveAt: DateTime.Utc,
  now: DateTime.Utc
): Duration.Duration => {
  const quiet = Duration.max(Duration.zero, DateTime.distance(aliveAt, now))
  return Duration.clamp(Duration.divideUnsafe(quiet, pollsWhileQuiet), {
    minimum: every,
    maximum: Duration.times(every, Math.max(1, quietFactor))
  })
}

/** What is stored with an account's next poll, so that a webhook can bring it forward. */
export interface PollLife {
  /** When it was last alive, as far as this poll knows. */
  readonly aliveAt: DateTime.Utc
  /** The interval of a lively account. */
  readonly every: Duration.Duration
}

/** Whether news of an account bring its next poll forward: at most once in each interval. Pure. */
export const isRoused = (life: PollLife | undefined, now: DateTime.Utc): boolean =>
  life !== undefined && DateTime.isLessThan(DateTime.addDuration(life.aliveAt, life.every), now)
