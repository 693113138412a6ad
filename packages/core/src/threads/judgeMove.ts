import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ThreadMove } from "../items/Thread.ts"
import { AssigneeInvalid } from "../items/ThreadErrors.ts"
import { SnoozeInvalid } from "./ThreadErrors.ts"

/** Longest assignee, in characters. */
const maxAssignee = 256

/** By this name lists are asked for nobody's threads (api.md §3): a thread of somebody named so could not be asked for. */
export const nobody = "none"

/** How long a thread may be snoozed, both inclusive (api-2-decided B16). */
const shortestSnooze = Duration.minutes(1)
const longestSnooze = Duration.days(90)

/** The move with an assignee that can be stored: an empty name is nobody's (api-2.md §14). */
export const judgeAssignee = (move: ThreadMove): Effect.Effect<ThreadMove, AssigneeInvalid> => {
  const { assignedTo } = move
  if (assignedTo === undefined || Option.isNone(assignedTo)) return Effect.succeed(move)
  if (assignedTo.value === "") return Effect.succeed({ ...move, assignedTo: Option.none() })
  if (assignedTo.value === nobody) return Effect.fail(new AssigneeInvalid({ reason: "reserved" }))
  return Array.from(assignedTo.value).length <= maxAssignee
    ? Effect.succeed(move)
    : Effect.fail(new AssigneeInvalid({ reason: "too_long" }))
}

/** Whether a thread may be snoozed until then. */
export const judgeSnooze = (
  { snoozedUntil, status }: ThreadMove,
  now: DateTime.Utc
): Effect.Effect<void, SnoozeInvalid> => {
  if (snoozedUntil === undefined || Option.isNone(snoozedUntil)) return Effect.void
  if (status === "resolved") return Effect.fail(new SnoozeInvalid({ reason: "resolved" }))
  const until = snoozedUntil.value
  if (DateTime.isLessThan(until, DateTime.addDuration(now, shortestSnooze))) {
    return Effect.fail(new SnoozeInvalid({ reason: "too_soon" }))
  }
  if (DateTime.isGreaterThan(until, DateTime.addDuration(now, longestSnooze))) {
    return Effect.fail(new SnoozeInvalid({ reason: "too_late" }))
  }
  return Effect.void
}
