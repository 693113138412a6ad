import * as DateTime from "effect/DateTime"
import { keepDays } from "../plans/keepDays.ts"
import type { Plan } from "../plans/Plan.ts"

/** Until when an upload that no job uses is kept: as long as after a success (design §8). */
export const keepUploadUntil = (plan: Plan, uploadedAt: DateTime.Utc): DateTime.Utc =>
  DateTime.add(uploadedAt, { days: keepDays[plan].succeeded })

/** Until when a reserved upload may stay unfinished (design §8). */
export const keepUnfinishedUntil = (reservedAt: DateTime.Utc): DateTime.Utc => DateTime.add(reservedAt, { days: 7 })
