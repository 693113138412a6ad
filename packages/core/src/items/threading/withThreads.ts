import type * as Option from "effect/Option"
import type { InboxEvent } from "../InboxEvent.ts"
import type { InboxThread, ThreadOf } from "./InboxThread.ts"

/** Adds the threads to the events that tell of them, as they are after the change. One without an item is in none. */
export const withThreads = (
  events: ReadonlyArray<InboxEvent>,
  find: (named: ThreadOf) => Option.Option<InboxThread>
): ReadonlyArray<InboxEvent> =>
  events.map((event) => (event._tag === "ThreadUpdated" ? { ...event, thread: find(event) } : event))
