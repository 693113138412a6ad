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

/** The state of a new thread. */
export const untouched: ThreadState = { status: "open", assignedTo: Option.none() }

export interface ThreadMove {
  readonly status: ThreadStatus
  /** `undefined` keeps the assignee, `none` clears it. */
  readonly assignedTo: Option.Option<string> | undefined
  /** A name is taken with any status; else only `assigned` takes one. */
  readonly isNamedInAny?: boolean | undefined
}

/** Whether two states are equal. */
export const isSameThread = (a: ThreadState, b: ThreadState): boolean =>
  a.status === b.status && Option.getOrNull(a.assignedTo) === Option.getOrNull(b.assignedTo)

/**
 * The state after a move: `open` clears the assignee, and only `assigned` accepts one (api.md §3), unless the move says
 * that every status does.
 */
export const moveThread = (
  thread: ThreadState,
  { assignedTo, isNamedInAny = false, status }: ThreadMove
): Result.Result<ThreadState, AssigneeNotAllowed> => {
  if (assignedTo !== undefined && Option.isSome(assignedTo) && status !== "assigned") {
    return isNamedInAny ? Result.succeed({ status, assignedTo }) : Result.fail(new AssigneeNotAllowed({ status }))
  }
  return Result.succeed({ status, assignedTo: status === "open" ? Option.none() : (assignedTo ?? thread.assignedTo) })
}

/** The state after a new message: a resolved thread opens again, without an assignee (design §4). */
export const reopen = (thread: ThreadState): ThreadState => (thread.status === "resolved" ? untouched : thread)
