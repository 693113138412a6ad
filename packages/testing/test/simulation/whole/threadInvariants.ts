import { assert } from "@effect/vitest"
import { DateTime, Effect, Equal, Option } from "effect"
import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { InboxStore } from "@loopbox/core/inbox/InboxStore"
import type { InboxEvent, RoutedEvent } from "@loopbox/core/items/InboxEvent"
import { untouched } from "@loopbox/core/items/Thread"
import type { InboxItem } from "@loopbox/core/items/InboxItem"
import { type InboxThread, shownParticipants, threadIdOf } from "@loopbox/core/items/threading/InboxThread"
import type { ThreadId } from "@loopbox/core/kernel/Ids"
import { stageOf } from "@loopbox/core/threads/ThreadStage"
import { type ThreadItemsQuery, ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { Threads } from "@loopbox/core/threads/Threads"
import { walk } from "../../../src/fixtures/inboxFixtures.ts"
import { walkThreads } from "../../../src/fixtures/threadFixtures.ts"
import { walkPages } from "../walkPages.ts"
import type { ThreadLedger } from "./ThreadWork.ts"

/** How long after its time a snooze may still be seen: the keeper looks every few seconds, and its store may be away. */
const wakesWithin = { seconds: 60 } as const

type Shown = Pick<InboxThread, "status" | "assignedTo" | "snoozedUntil" | "labels">

const shownOf = ({ assignedTo, labels, snoozedUntil, status }: Shown): Shown => ({
  assignedTo,
  labels,
  snoozedUntil,
  status
})

/** A thread as the log alone tells of it. */
interface Told {
  shown: Shown
  /** When its first item came; absent until then. */
  begunAt: DateTime.Utc | undefined
  /** Where its first item came and went in one moment: it began then, unless that was one transaction, too. */
  mayBeBegunAt?: DateTime.Utc | undefined
  /** Listed items, by their ids. */
  readonly items: Set<string>
  /** The texts of its notes, by their ids. */
  readonly notes: Map<string, string>
  /** A message of another person came while the thread was resolved or snoozed: how it has to be told of then. */
  owed: { readonly at: DateTime.Utc; readonly shown: Shown } | undefined
}

/** A thread that a new message brings back: a resolved one is nobody's, a snoozed one stays whose it was. */
const broughtBack = (shown: Shown): Shown =>
  shown.status === "resolved" ? { ...untouched, labels: shown.labels } : { ...shown, snoozedUntil: Option.none() }

const isAway = ({ snoozedUntil, status }: Shown) => status === "resolved" || Option.isSome(snoozedUntil)

/** Threads as their events tell of them, which is all that a page that was open all the time has. */
const replay = (events: ReadonlyArray<RoutedEvent>) => {
  const threads = new Map<ThreadId, Told>()
  const byItem = new Map<string, Told>()
  const toldOf = (id: ThreadId): Told => {
    const known = threads.get(id)
    if (known !== undefined) return known
    const shown: Shown = { ...untouched, labels: [] }
    const told: Told = { shown, begunAt: undefined, items: new Set(), notes: new Map(), owed: undefined }
    threads.set(id, told)
    return told
  }
  const arrive = ({ item }: Extract<InboxEvent, { readonly _tag: "NewItem" }>, at: DateTime.Utc) => {
    const told = toldOf(threadIdOf(item))
    const isOver = Option.exists(told.shown.snoozedUntil, (until) => DateTime.isLessThanOrEqualTo(until, at))
    // A thread without items is in no list: its snooze ends without an event.
    if (told.items.size === 0 && isOver) told.shown = { ...told.shown, snoozedUntil: Option.none() }
    told.begunAt ??= at
    told.items.add(item.id)
    byItem.set(item.id, told)
    if (!item.isOwn && isAway(told.shown)) told.owed = { at, shown: broughtBack(told.shown) }
  }
  const change = (
    event: Extract<InboxEvent, { readonly _tag: "ThreadUpdated" }>,
    { at, seq }: Pick<RoutedEvent, "at" | "seq">
  ) => {
    const told = toldOf(threadIdOf(event))
    if (Option.isNone(event.thread)) return
    const now = shownOf(event.thread.value)
    assert.deepStrictEqual([now.status, now.assignedTo], [event.status, event.assignedTo], `event ${seq}`)
    assert.notDeepEqual(now, told.shown, `event ${seq} says nothing new`)
    if (told.owed !== undefined) {
      // In the transaction of the message, so that nobody has to wait for it.
      const isAtOnce = Equal.equals(at, told.owed.at) && Equal.equals(now, told.owed.shown)
      assert.isTrue(isAtOnce, `event ${seq}: a new message did not bring the thread back`)
    }
    told.owed = undefined
    told.shown = now
  }
  const remove = (itemId: string, at: DateTime.Utc) => {
    const told = byItem.get(itemId)
    told?.items.delete(itemId)
    // What came and went in one transaction was never stored.
    if (told?.items.size !== 0 || !Equal.equals(told.begunAt, at)) return
    told.mayBeBegunAt ??= told.begunAt
    told.begunAt = undefined
  }
  for (const { at, event, seq } of events) {
    if (event._tag === "NewItem") arrive(event, at)
    if (event._tag === "ThreadUpdated") change(event, { at, seq })
    if (event._tag === "NoteAdded") toldOf(event.note.threadId).notes.set(event.note.id, event.note.text)
    if (event._tag === "NoteDeleted") toldOf(event.threadId).notes.delete(event.noteId)
    if (event._tag === "ItemDeleted") remove(event.itemId, at)
  }
  return threads
}

/** Who wrote in a thread, of its items from the newest on: each person once. */
const speakersIn = (items: ReadonlyArray<InboxItem>): ReadonlyArray<string> => {
  const spoken = new Map<string, Option.Option<string>>()
  for (const { authorId, authorName, isOwn } of items) {
    const by = Option.orElse(authorId, () => authorName)
    if (!isOwn && Option.isSome(by) && !spoken.has(by.value)) spoken.set(by.value, authorName)
  }
  return Array.from(spoken.values()).flatMap(Option.toArray).slice(0, shownParticipants)
}

/** Labels that most open threads have, each as it was written by whoever of those that still have it was given it first. */
const labelsOf = (threads: ReadonlyArray<InboxThread>, ledger: ThreadLedger) => {
  const uses = threads.flatMap(({ id, status }) =>
    (ledger.labels.get(id) ?? []).map((one) => ({ ...one, isOpen: status !== "resolved" }))
  )
  return Array.from(
    Map.groupBy(uses, ({ label }) => label.toLowerCase()),
    ([folded, found]) => ({ folded, found: found.toSorted((a, b) => a.n - b.n) })
  )
    .map(({ folded, found }) => ({
      folded,
      label: found[0]?.label ?? folded,
      openThreads: found.filter(({ isOpen }) => isOpen).length
    }))
    .sort((a, b) => b.openThreads - a.openThreads || (a.folded < b.folded ? -1 : 1))
    .map(({ label, openThreads }) => ({ label, openThreads }))
}

/** What lists, filters and counts say of the threads of a scope, held against each other and against the items. */
const checkLists = Effect.fnUntraced(function* (caller: EntitledCaller, ledger: ThreadLedger) {
  const now = yield* DateTime.now
  const all = yield* walkThreads(caller, { limit: 6 })
  const ids = new Set(all.map(({ id }) => id))
  assert.strictEqual(ids.size, all.length, "a thread is listed twice")
  const byThread = Map.groupBy(yield* walk(caller), threadIdOf)
  assert.deepStrictEqual([...ids].sort(), [...byThread.keys()].sort(), "threads and the threads of items")
  for (const thread of all) {
    const items = byThread.get(thread.id) ?? []
    const unread = items.filter(({ isOwn, isRead }) => !isOwn && !isRead).length
    assert.deepStrictEqual([thread.itemCount, thread.unreadCount], [items.length, unread], `counts of ${thread.id}`)
    assert.strictEqual(thread.lastItem.id, items[0]?.id, `the last item of ${thread.id}`)
    const others = items.filter(({ isOwn }) => !isOwn)
    const lastInboundAt = Option.fromUndefinedOr(others[0]?.receivedAt)
    assert.isTrue(Equal.equals(thread.lastInboundAt, lastInboundAt), `the last message of another in ${thread.id}`)
    const isOverAndAway = thread.status === "resolved" && Option.isSome(thread.snoozedUntil)
    assert.isFalse(isOverAndAway, `${thread.id} is resolved, and snoozed`)
    assert.deepStrictEqual(
      thread.participants.map(({ authorName }) => authorName),
      speakersIn(items),
      `who wrote in ${thread.id}`
    )
    for (const item of items) assert.strictEqual(item.thread.status, thread.status, `an item of ${thread.id}`)
    for (const item of others.filter(({ replyWindow }) => Option.isSome(replyWindow)))
      assert.isTrue(Equal.equals(item.replyWindow, thread.replyWindow), `until when ${thread.id} may be answered`)
    const latest = Option.map(thread.snoozedUntil, (until) => DateTime.add(until, wakesWithin))
    assert.isFalse(
      Option.exists(latest, (until) => DateTime.isLessThan(until, now)),
      `${thread.id} was never woken`
    )
  }
  const total = all.reduce((sum, { unreadCount }) => sum + unreadCount, 0)
  assert.strictEqual(yield* (yield* InboxStore).countUnread(caller), total, "the counter of unread items")
  for (const stage of ["open", "assigned", "resolved", "snoozed"] as const) {
    const found = yield* walkThreads(caller, { stage: Option.some(stage) })
    const wanted = all.filter((thread) => stageOf(thread) === stage)
    assert.deepStrictEqual(
      found.map(({ id }) => id),
      wanted.map(({ id }) => id),
      `the list of ${stage} threads`
    )
  }
  assert.deepStrictEqual(yield* (yield* Threads).labels(caller), labelsOf(all, ledger), "labels of a scope")
  return all
})

/** What must hold at every moment, whatever is under way. */
export const checkThreads = Effect.fnUntraced(function* (ledger: ThreadLedger, callers: ReadonlyArray<EntitledCaller>) {
  const threads = yield* Threads
  const [whole, ...others] = callers
  if (whole === undefined) return
  for (const other of others) yield* checkLists(other, ledger)
  const all = yield* checkLists(whole, ledger)
  const { events } = yield* (yield* InboxEvents).read(whole.scope.workspaceId, 0, 100_000)
  const told = replay(events)
  for (const [id, { owed }] of told) assert.isUndefined(owed, `${id}: nothing told that a new message brought it back`)
  for (const thread of all) {
    const shown = shownOf(thread)
    const wanted = told.get(thread.id)?.shown ?? { ...untouched, labels: [] }
    const { begunAt, mayBeBegunAt } = told.get(thread.id) ?? {}
    const isBegun = Equal.equals(thread.createdAt, begunAt) || Equal.equals(thread.createdAt, mayBeBegunAt)
    assert.isTrue(isBegun, `when ${thread.id} was begun`)
    assert.isTrue(Equal.equals(shown, wanted), `${thread.id} is another than its events say`)
    const labels = (ledger.labels.get(thread.id) ?? []).map(({ label }) => label)
    assert.deepStrictEqual(thread.labels, labels, `labels of ${thread.id}`)
    const notes = yield* walkPages((page) => threads.notes(whole, thread.id, page), 2)
    assert.deepStrictEqual(
      Array.from(told.get(thread.id)?.notes ?? [], ([id, text]) => `${id} ${text}`).sort(),
      notes.map(({ id, text }) => `${id} ${text}`).sort(),
      `notes of ${thread.id} and those that events tell of`
    )
    assert.deepStrictEqual(
      notes.map(({ id, text }) => `${id} ${text}`).sort(),
      (ledger.notes.get(thread.id) ?? []).map(({ id, text }) => `${id} ${text}`).sort(),
      `notes of ${thread.id}`
    )
  }
  yield* checkPages(whole, all)
})

/** The items of the longest thread in small pages, from both ends: none is left out, and none is there twice. */
const checkPages = Effect.fnUntraced(function* (caller: EntitledCaller, all: ReadonlyArray<InboxThread>) {
  const [longest] = all.toSorted((a, b) => b.itemCount - a.itemCount)
  if (longest === undefined) return
  const store = yield* ThreadStore
  const { source, threadKey } = longest
  const filter = {
    source: Option.some(source),
    threadKey: Option.some(threadKey),
    accountId: Option.some(longest.accountId)
  }
  const items = (yield* walk(caller, filter)).map(({ id }) => id)
  for (const order of ["newest", "oldest"] as const) {
    const page = (after: ThreadItemsQuery["after"]) => store.items(caller, longest.id, { order, limit: 2, after })
    let found = Option.getOrThrow(yield* page(Option.none()))
    const walked = [...found.items]
    while (Option.isSome(found.next)) {
      found = Option.getOrThrow(yield* page(found.next))
      walked.push(...found.items)
    }
    const wanted = order === "newest" ? items : items.toReversed()
    assert.deepStrictEqual(
      walked.map(({ id }) => id),
      wanted,
      `pages of ${longest.id}, the ${order} first`
    )
  }
})
