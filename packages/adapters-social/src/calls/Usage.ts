import type * as DateTime from "effect/DateTime"

/** Whose calls are counted together: an account's to one kind of endpoint, everybody's to it, or all that the app makes. */
export type Counted = "account" | "endpoint" | "app"

/** How much of a budget is used, as an answer's headers say. */
export interface Usage {
  readonly counted: Counted
  /** 100 and more: nothing is left. */
  readonly used_percent: number
  /** Until when that is so, or worth to be believed. */
  readonly until: DateTime.Utc
}
