import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { WorkState } from "../items/Thread.ts"

/** Where lists of threads find one: by its status, or, while it is snoozed, only as that (api-2-decided B4). */
export const ThreadStage = Schema.Literals(["open", "assigned", "resolved", "snoozed"])
export type ThreadStage = typeof ThreadStage.Type

export const stageOf = ({ snoozedUntil, status }: WorkState): ThreadStage =>
  status !== "resolved" && Option.isSome(snoozedUntil) ? "snoozed" : status
