import * as Result from "effect/Result"
import type { InboxEvent } from "./InboxEvent.ts"
import type { InboxItem } from "./InboxItem.ts"
import { isSameThread, moveThread, type ThreadMove, type ThreadState } from "./Thread.ts"
import type { AssigneeNotAllowed } from "./ThreadErrors.ts"

/** What a store writes when a thread is moved, in one transaction; nothing if there is no event. */
export interface ThreadChange {
  readonly thread: ThreadState
  readonly events: ReadonlyArray<InboxEvent>
}

/** The event for the new state of a thread. */
export const threadUpdated = (
  { accountId, source, threadKey }: Pick<InboxItem, "accountId" | "source" | "threadKey">,
  state: ThreadState
): InboxEvent => ({ _tag: "ThreadUpdated", accountId, source, threadKey, ...state })

/** Moves the thread of an item. A move to the same state changes nothing. */
export const decideMove = (
  item: Pick<InboxItem, "accountId" | "source" | "thread" | "threadKey">,
  move: ThreadMove
): Result.Result<ThreadChange, AssigneeNotAllowed> =>
  Result.map(moveThread(item.thread, move), (thread) => ({
    thread,
    events: isSameThread(item.thread, thread) ? [] : [threadUpdated(item, thread)]
  }))
