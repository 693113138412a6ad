import type * as DateTime from "effect/DateTime"

/** How much of a budget is used, as an answer's headers say. */
export interface Usage {
  /** 100 and more: nothing is left. */
  readonly used_percent: number
  /** Until when that is so, or worth to be believed. */
  readonly until: DateTime.Utc
}
