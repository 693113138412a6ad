import { assert } from "@effect/vitest"
import { DateTime, Effect, Equal, Option, References } from "effect"
import { type AccountEntry, logOf } from "@loopbox/adapters-memory/memoryInbox"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { IngestStore } from "@loopbox/core/inbox/IngestStore"
import type { ToldActivity } from "@loopbox/core/items/mergeActivity"
import { keyOf, type LiveItem, threadOf } from "@loopbox/core/items/StoredItem"
import { untouched, type WorkState } from "@loopbox/core/items/Thread"
import { InboxItemId, PostId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import { Deleted, Edited, HiddenChanged } from "@loopbox/core/networks/InboundActivity"
import { posted, routeTo } from "../../../src/fixtures/activities.ts"

/** What no network's word changes of an item, but for a version of its text or its hiding. */
const people = ["isRead", "isLiked", "privateRepliedAt", "postId", "linkedPostId", "attachments", "receivedAt"] as const

const newId = InboxItemId.make(`itm_${"0".repeat(26)}`)

/** Something that is told of an item or its thread, and what becomes of a thread in this state. */
interface Told {
  readonly activity: ToldActivity
  readonly before: WorkState
  readonly after: WorkState
}

const toldOf = (item: LiveItem, now: DateTime.Utc): ReadonlyArray<Told> => {
  const { externalId, source, threadKey } = item
  const named = { route: routeTo(source, "of a try"), source, externalId }
  const version = item.bodyVersion + 100
  const whole = Option.none()
  const someone = Option.some("ann")
  const snoozed: WorkState = {
    status: "assigned",
    assignedTo: someone,
    snoozedUntil: Option.some(DateTime.add(now, { days: 1 }))
  }
  const resolved: WorkState = { ...snoozed, status: "resolved", snoozedUntil: Option.none() }
  const next = (isOwn: boolean) => posted({ source, externalId: "of a try", threadKey, isOwn, receivedAt: now })
  const stay = (activity: ToldActivity) => [snoozed, resolved].map((before) => ({ activity, before, after: before }))
  return [
    ...stay(new Edited({ ...named, body: "tried", version, editedAt: now, whole })),
    ...stay(new HiddenChanged({ ...named, isHidden: !item.isHidden, version, asOf: now })),
    ...stay(new Deleted(named)),
    // Told again, later, with less.
    ...stay(posted({ source, externalId, threadKey, receivedAt: now })),
    // What the account itself has written brings nothing back.
    ...stay(next(true)),
    { activity: next(false), before: resolved, after: untouched },
    { activity: next(false), before: snoozed, after: { ...snoozed, snoozedUntil: Option.none() } }
  ]
}

/** Notes what a map has, to put it back. */
const notedMap = <K, V>(map: Map<K, V>) => {
  const before = Array.from(map)
  return () => {
    map.clear()
    for (const [key, value] of before) map.set(key, value)
  }
}

/** Notes what an ingest may write of an account. */
const noted = ({ begun, items, operations, people: authors, threads, unread }: AccountEntry) => {
  const all = [
    notedMap(items),
    notedMap(threads),
    notedMap(begun),
    notedMap(unread),
    notedMap(authors),
    notedMap(operations)
  ]
  return () => all.forEach((putBack) => putBack())
}

/**
 * What people did with an item and its thread outlives what is told of them then. It is tried with a state that has
 * something to lose, for in a run of its own that is rare, and put back.
 */
export const checkEdits = Effect.fnUntraced(
  function* (workspaceId: WorkspaceId, look: number) {
    const { inbox } = yield* MemoryState
    const [store, now] = [yield* IngestStore, yield* DateTime.now]
    const entries = Array.from(inbox.accounts.values()).filter(
      ({ account }) => account.workspaceId === workspaceId && account.status !== "disconnected"
    )
    const entry = entries[look % Math.max(1, entries.length)]
    const [live] = Array.from(entry?.items.values() ?? []).filter((one) => one._tag === "LiveItem" && !one.isOwn)
    if (entry === undefined || live?._tag !== "LiveItem") return
    const item: LiveItem = {
      ...live,
      ...{ isRead: true, isLiked: true, privateRepliedAt: Option.some(now) },
      ...{ linkedPostId: Option.some("of a try"), postId: Option.some(PostId.make(`pst_${"0".repeat(26)}`)) },
      attachments: [{ type: "image", url: "https://n.example/tried.jpg" }]
    }
    const log = logOf(inbox, workspaceId)
    for (const { activity, after, before } of toldOf(item, now)) {
      const [putBack, last, hours] = [noted(entry), log.last, notedMap(log.itemHours)]
      entry.items.set(keyOf(item), item)
      entry.threads.set(threadOf(item), before)
      const { id: accountId } = entry.account
      const arrivals = [{ activity, newId, polledAt: Option.none() }]
      const unit = { workspaceId, accountId, arrivals, now, completes: [], isHeard: false, poll: Option.none() }
      yield* store.ingest(unit)
      const [is, thread] = [entry.items.get(keyOf(item)), entry.threads.get(threadOf(item))]
      putBack()
      inbox.index.delete(newId)
      log.events = log.events.filter(({ seq }) => seq <= last)
      log.last = last
      hours()
      assert.isTrue(Equal.equals(thread, after), `a thread that was ${before.status}, after ${activity._tag}`)
      if (is?._tag !== "LiveItem") continue
      for (const member of people)
        assert.isTrue(Equal.equals(is[member], item[member]), `${member} of an item, after ${activity._tag}`)
    }
    // Nobody else sees what is tried.
  },
  Effect.provideService(References.PreventSchedulerYield, true)
)
