import type * as DateTime from "effect/DateTime"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { AssigneeNotAllowed } from "./ThreadErrors.ts"

/** Workflow states of a thread (§3.1). Any state may follow any other. */
export const ThreadStatus = Schema.Literals(["open", "assigned", "resolved"])
export type ThreadStatus = typeof ThreadStatus.Type

/** The workflow state of a thread; all of its items show it. */
export const ThreadState = Schema.Struct({
  status: ThreadStatus,
  assignedTo: Schema.Option(Schema.String)
})
export type ThreadState = typeof ThreadState.Type

/** The workflow state as the thread itself has it: it also may be out of sight until a time. */
export interface WorkState extends ThreadState {
  readonly snoozedUntil: Option.Option<DateTime.Utc>
}

/** The state of a new thread. */
export const untouched: WorkState = { status: "open", assignedTo: Option.none(), snoozedUntil: Option.none() }

export interface ThreadMove {
  readonly status: ThreadStatus
  /** `undefined` keeps the assignee, `none` clears it. */
  readonly assignedTo: Option.Option<string> | undefined
  /** A name is taken with any status; else an open thread takes none. */
  readonly isNamedInAny?: boolean | undefined
  /** `undefined` keeps the snooze, `none` ends it. */
  readonly snoozedUntil?: Option.Option<DateTime.Utc> | undefined
}

/** The part of the state that items show. */
export const stateOf = ({ assignedTo, status }: ThreadState): ThreadState => ({ status, assignedTo })

/** Whether two states are equal. */
export const isSameThread = (a: WorkState, b: WorkState): boolean =>
  a.status === b.status &&
  Option.getOrNull(a.assignedTo) === Option.getOrNull(b.assignedTo) &&
  Equal.equals(a.snoozedUntil, b.snoozedUntil)

/**
 * The state after a move: `open` clears the assignee and accepts none (api.md §3), unless the move says that every status
 * does; `resolved` ends a snooze.
 */
export const moveThread = (
  thread: WorkState,
  { assignedTo, isNamedInAny = false, snoozedUntil, status }: ThreadMove
): Result.Result<WorkState, AssigneeNotAllowed> => {
  const isNamed = assignedTo !== undefined && Option.isSome(assignedTo)
  if (isNamed && status === "open" && !isNamedInAny) {
    return Result.fail(new AssigneeNotAllowed({ status }))
  }
  return Result.succeed({
    status,
    assignedTo: status === "open" && !isNamed ? Option.none() : (assignedTo ?? thread.assignedTo),
    snoozedUntil: status === "resolved" ? Option.none() : (snoozedUntil ?? thread.snoozedUntil)
  })
}

/**
 * The state after a new message: a resolved thread opens again, without an assignee (design §4), and a snoozed one is
 * in sight again (api-2.md §14).
 */
export const reopen = (thread: WorkState): WorkState =>
  thread.status === "resolved" ? untouched : { ...thread, snoozedUntil: Option.none() }
