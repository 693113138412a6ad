import * as DateTime from "effect/DateTime"
import { keepDays } from "../plans/keepDays.ts"
import type { Plan } from "../plans/Plan.ts"

/** How a job ended, as retention sees it; a canceled one counts as failed. */
export type RetentionOutcome = "succeeded" | "failed"

/** Until when the files of a job that ended at `at` are kept (§8.4). */
export const keepUntil = (plan: Plan, outcome: RetentionOutcome, at: DateTime.Utc): DateTime.Utc =>
  DateTime.add(at, { days: keepDays[plan][outcome] })

/** Days that the row of an ended job, with its idempotency key, is kept (design §8). */
export const jobRowDays = 90

/** Days that an ended reply, with its idempotency key, is kept (design §8). */
export const replyRowDays = 90

/** Days that what a network said of a post may serve while the network is down. */
export const mediaContextDays = 30

/** Days that the record of a deleted file is kept; it answers 404 meanwhile (design §8). */
export const deletedMediaRowDays = 30

/** Hours after which bytes that no record names are removed (design §8). */
export const orphanHours = 24
