import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { InboxEvent } from "./InboxEvent.ts"
import type { InboxItem } from "./InboxItem.ts"
import { isSameThread, moveThread, type ThreadMove, type WorkState } from "./Thread.ts"
import type { AssigneeNotAllowed } from "./ThreadErrors.ts"

/** What a store writes when a thread is moved, in one transaction; nothing if there is no event. */
export interface ThreadChange {
  readonly thread: WorkState
  readonly events: ReadonlyArray<InboxEvent>
}

/** The event for the new state of a thread. Who writes it adds the thread, as it is after the change. */
export const threadUpdated = (
  { accountId, source, threadKey }: Pick<InboxItem, "accountId" | "source" | "threadKey">,
  { assignedTo, status }: WorkState
): InboxEvent => ({
  _tag: "ThreadUpdated",
  accountId,
  source,
  threadKey,
  status,
  assignedTo,
  thread: Option.none()
})

/** Moves a thread, which is named as its items name it. A move to the same state changes nothing. */
export const decideMove = (
  named: Pick<InboxItem, "accountId" | "source" | "threadKey">,
  before: WorkState,
  move: ThreadMove
): Result.Result<ThreadChange, AssigneeNotAllowed> =>
  Result.map(moveThread(before, move), (thread) => ({
    thread,
    events: isSameThread(before, thread) ? [] : [threadUpdated(named, thread)]
  }))
