import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type { PollState } from "./SyncRun.ts"

/** Polls of one account that are due because its network announced an item that did not arrive. */
export interface PollHints {
  /** When the next one is due; `none` if there is none. */
  readonly dueAt: Option.Option<DateTime.Utc>
  /** When a worker claimed the last one. */
  readonly takenAt: Option.Option<DateTime.Utc>
}

export const noHints: PollHints = { dueAt: Option.none(), takenAt: Option.none() }

/** Shortest interval between two such polls of one account. */
const leastPause = Duration.minutes(1)

/** Whether one is due that no worker has claimed. An announcement during a poll may be too late for that poll. */
export const isHinted = ({ dueAt, takenAt }: PollHints): boolean =>
  Option.exists(dueAt, (due) => !Option.exists(takenAt, DateTime.isGreaterThanOrEqualTo(due)))

/** When to poll an account for an announcement; never during a rate limit. */
export const hintDue = (hints: PollHints, { wait }: PollState, now: DateTime.Utc): DateTime.Utc => {
  if (isHinted(hints) && Option.isSome(hints.dueAt)) return hints.dueAt.value
  const bounds = [
    ...Option.toArray(Option.map(hints.takenAt, DateTime.addDuration(leastPause))),
    ...Option.toArray(Option.map(wait, ({ until }) => until))
  ]
  return bounds.reduce((latest, bound) => DateTime.max(latest, bound), now)
}
