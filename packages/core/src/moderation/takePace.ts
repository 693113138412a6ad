import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { Pace } from "../networks/Network.ts"

/** The counted calls after one more; or none more now, and when there may be one. */
export type PaceTaken =
  | { readonly _tag: "Taken"; readonly taken: ReadonlyArray<DateTime.Utc> }
  | { readonly _tag: "Wait"; readonly until: DateTime.Utc }

/** Counts a call among those of the last while. Calls of a clock that is ahead count as well. Pure. */
export const takePace = (taken: ReadonlyArray<DateTime.Utc>, { most, within }: Pace, now: DateTime.Utc): PaceTaken => {
  const since = DateTime.subtractDuration(now, within)
  const recent = taken.filter((at) => DateTime.isGreaterThan(at, since)).toSorted(DateTime.Order)
  const oldest = Option.fromUndefinedOr(recent[recent.length - most])
  return Option.match(oldest, {
    onNone: () => ({ _tag: "Taken", taken: [...recent, now] }),
    onSome: (at) => ({ _tag: "Wait", until: DateTime.addDuration(at, within) })
  })
}
