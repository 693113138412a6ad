import * as DateTime from "effect/DateTime"
import { keepDays } from "../workspaces/keepDays.ts"
import type { Plan } from "../workspaces/Plan.ts"

/** When an upload that no job uses expires: as long after the upload as after a successful job (design §8). */
export const keepUploadUntil = (plan: Plan, uploadedAt: DateTime.Utc): DateTime.Utc =>
  DateTime.add(uploadedAt, { days: keepDays[plan].succeeded })

/** When an unfinished upload expires (design §8). */
export const keepUnfinishedUntil = (reservedAt: DateTime.Utc): DateTime.Utc => DateTime.add(reservedAt, { days: 7 })
