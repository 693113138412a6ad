import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { ThreadChange } from "@loopbox/core/items/decideMove"
import { type LiveItem, threadOf } from "@loopbox/core/items/StoredItem"
import { untouched } from "@loopbox/core/items/Thread"
import { type InboxThread, toInboxThread } from "@loopbox/core/items/threading/InboxThread"
import { withThreads } from "@loopbox/core/items/threading/withThreads"
import { tallyOf } from "@loopbox/core/threads/ThreadTally"
import { type AccountEntry, type MemoryInbox, writeEvents } from "./memoryInbox.ts"

/** The live items of an account's threads, by `threadOf`. */
export const itemsByThread = ({ items }: AccountEntry): ReadonlyMap<string, ReadonlyArray<LiveItem>> => {
  const threads = new Map<string, Array<LiveItem>>()
  for (const item of items.values()) {
    if (item._tag !== "LiveItem") continue
    const name = threadOf(item)
    const others = threads.get(name)
    if (others === undefined) threads.set(name, [item])
    else others.push(item)
  }
  return threads
}

/** A thread as readers see it, of its live items; none, if there are none. */
export const toShownThread = (
  { networks }: MemoryInbox,
  { account, begun, labels, threads }: AccountEntry,
  items: ReadonlyArray<LiveItem>,
  now: DateTime.Utc
): Option.Option<InboxThread> => {
  const tally = tallyOf(items)
  const byId = new Map(items.map((item) => [item.id, item] as const))
  const lastItem = Option.flatMapNullishOr(tally.last, ({ id }) => byId.get(id))
  if (Option.isNone(lastItem)) return Option.none()
  const name = threadOf(lastItem.value)
  return Option.some(
    toInboxThread(
      networks,
      {
        state: threads.get(name) ?? untouched,
        labels: Array.from(labels.get(name)?.values() ?? [], ({ label }) => label),
        unreadCount: tally.unreadCount,
        itemCount: tally.itemCount,
        lastItem: lastItem.value,
        lastInboundAt: tally.lastInboundAt,
        participants: tally.participants.flatMap(({ itemId }) => byId.get(itemId) ?? []),
        createdAt: begun.get(name) ?? lastItem.value.createdAt
      },
      account,
      now
    )
  )
}

/** A thread by its name, as readers see it. */
export const shownThread = (
  inbox: MemoryInbox,
  entry: AccountEntry,
  name: string,
  now: DateTime.Utc
): Option.Option<InboxThread> => toShownThread(inbox, entry, itemsByThread(entry).get(name) ?? [], now)

/** Gives a thread another state, with the events of that; nothing without events. */
export const moveInMemory = (
  inbox: MemoryInbox,
  entry: AccountEntry,
  name: string,
  { events, thread }: ThreadChange,
  at: DateTime.Utc
): void => {
  if (events.length === 0) return
  entry.threads.set(name, thread)
  const told = withThreads(events, () => shownThread(inbox, entry, name, at))
  writeEvents(inbox, entry.account.workspaceId, told, at)
}
