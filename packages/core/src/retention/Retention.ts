import * as DateTime from "effect/DateTime"
import { keepDays } from "../workspaces/keepDays.ts"
import type { Plan } from "../workspaces/Plan.ts"

/** How a job ended, for retention; a canceled job counts as failed. */
export type RetentionOutcome = "succeeded" | "failed"

/** When the files of a job that ended at `at` expire (§8.4). */
export const keepUntil = (plan: Plan, outcome: RetentionOutcome, at: DateTime.Utc): DateTime.Utc =>
  DateTime.add(at, { days: keepDays[plan][outcome] })

/** Days to keep the row of an ended job, with its idempotency key (design §8). */
export const jobRowDays = 90

/** Days to keep an ended reply, with its idempotency key (design §8). */
export const replyRowDays = 90

/** Days to keep an ended post, with its idempotency key; comments under it name it for as long. */
export const postRowDays = 365

/** Days that a cached media context may be used while its network is unavailable. */
export const mediaContextDays = 30

/** Days to keep the record of a deleted file, which answers 404 (design §8). */
export const deletedMediaRowDays = 30

/** Days to keep how many items an hour had; usage asks for the last 30. */
export const itemHourDays = 31

/** Days to keep what the audit says (api-2.md §16). */
export const auditDays = 400

/** Hours after which bytes without a record are removed (design §8). */
export const orphanHours = 24
