import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { threadUpdated } from "@loopbox/core/items/decideMove"
import { decideRead } from "@loopbox/core/items/decideRead"
import type { InboxEvent } from "@loopbox/core/items/InboxEvent"
import type { InboxItem } from "@loopbox/core/items/InboxItem"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import { keyOf, type LiveItem, threadOf } from "@loopbox/core/items/StoredItem"
import { untouched } from "@loopbox/core/items/Thread"
import { type InboxThread, type ThreadPosition, threadIdOf } from "@loopbox/core/items/threading/InboxThread"
import type { ThreadNote } from "@loopbox/core/items/threading/ThreadNote"
import { type PageKey, type PageRequest, toPage } from "@loopbox/core/kernel/Page"
import type { ThreadId } from "@loopbox/core/kernel/Ids"
import { matchesSearch } from "@loopbox/core/search/SearchQuery"
import { withThreads } from "@loopbox/core/items/threading/withThreads"
import { foldLabel, isSameLabels, type LabelCount } from "@loopbox/core/threads/judgeLabels"
import { stageOf } from "@loopbox/core/threads/ThreadStage"
import { type ThreadItemsQuery, type ThreadQuery, ThreadStore } from "@loopbox/core/threads/ThreadStore"
import {
  type AccountEntry,
  accountsIn,
  addUnread,
  type MemoryInbox,
  newestFirst,
  shown,
  writeEvents
} from "./memoryInbox.ts"
import { MemoryState } from "./MemoryState.ts"
import { itemsByThread, moveInMemory, toShownThread } from "./memoryThreads.ts"

/** A thread of a scope with its live items, the newest first. */
interface Found {
  readonly entry: AccountEntry
  readonly name: string
  readonly items: ReadonlyArray<LiveItem>
}

const threadsIn = (inbox: MemoryInbox, scope: ItemScope): ReadonlyArray<Found> =>
  accountsIn(inbox, scope).flatMap((entry) =>
    Array.from(itemsByThread(entry))
      .filter(([, [item]]) => item !== undefined && scope.sources.has(item.source))
      .map(([name, items]) => ({ entry, name, items: items.toSorted(newestFirst) }))
  )

const threadIn = (inbox: MemoryInbox, scope: ItemScope, id: ThreadId): Found | undefined =>
  threadsIn(inbox, scope).find(({ items: [item] }) => item !== undefined && threadIdOf(item) === id)

const isAsked = <A>(asked: Option.Option<A>, actual: A): boolean => Option.isNone(asked) || asked.value === actual

const isWanted = (thread: InboxThread, query: ThreadQuery): boolean =>
  isAsked(query.source, thread.source) &&
  isAsked(query.accountId, thread.accountId) &&
  isAsked(query.stage, stageOf(thread)) &&
  isAsked(query.isUnread, thread.unreadCount > 0) &&
  isAsked(Option.map(query.assignedTo, Option.getOrNull), Option.getOrNull(thread.assignedTo)) &&
  Option.match(query.label, {
    onNone: () => true,
    onSome: (asked) => thread.labels.some((label) => foldLabel(label) === foldLabel(asked))
  })

/** Every word in one item, or in one note (api-2-decided B34). */
const isSearched = ({ entry, items }: Found, { search }: ThreadQuery): boolean =>
  Option.match(search, {
    onNone: () => true,
    onSome: (asked) =>
      items.some(({ authorName, body }) => matchesSearch(asked, [body, ...Option.toArray(authorName)])) ||
      notesOf(entry, items).some(({ text }) => matchesSearch(asked, [text]))
  })

const notesOf = (entry: AccountEntry, [item]: ReadonlyArray<LiveItem>): ReadonlyArray<ThreadNote> =>
  item === undefined ? [] : Array.from(entry.notes.values()).filter(({ threadId }) => threadId === threadIdOf(item))

const placeOf = ({ id, lastItem }: InboxThread): ThreadPosition => ({ lastItemAt: lastItem.receivedAt, id })

/** The same of a thread that is not shown yet. */
const placesOf = ({ items: [last] }: Found): ReadonlyArray<ThreadPosition> =>
  last === undefined ? [] : [{ lastItemAt: last.receivedAt, id: threadIdOf(last) }]

/** The order of lists. */
const inOrder = (a: ThreadPosition, b: ThreadPosition): number =>
  DateTime.toEpochMillis(b.lastItemAt) - DateTime.toEpochMillis(a.lastItemAt) ||
  (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

const listThreads = (inbox: MemoryInbox, scope: ItemScope, query: ThreadQuery, now: DateTime.Utc) => {
  const isBehind = (place: ThreadPosition) =>
    Option.match(query.after, { onNone: () => true, onSome: (after) => inOrder(after, place) < 0 })
  const behind = threadsIn(inbox, scope)
    .flatMap((found) => placesOf(found).map((place) => ({ found, place })))
    .filter(({ place }) => isBehind(place))
    .sort((a, b) => inOrder(a.place, b.place))
  // One more than is listed says that there is a next page: the rest is not looked at.
  const wanted: Array<InboxThread> = []
  for (const { found } of behind) {
    if (wanted.length > query.limit) break
    if (!isSearched(found, query)) continue
    const thread = Option.getOrUndefined(toShownThread(inbox, found.entry, found.items, now))
    if (thread !== undefined && isWanted(thread, query)) wanted.push(thread)
  }
  const threads = wanted.slice(0, query.limit)
  const last = wanted.length > query.limit ? threads[threads.length - 1] : undefined
  return { threads, next: Option.map(Option.fromUndefinedOr(last), placeOf) }
}

const listItems = (inbox: MemoryInbox, { entry, items }: Found, query: ThreadItemsQuery, now: DateTime.Utc) => {
  const sign = query.order === "newest" ? 1 : -1
  const found = items
    .toSorted((a, b) => sign * newestFirst(a, b))
    .filter((item) =>
      Option.match(query.after, { onNone: () => true, onSome: (place) => sign * newestFirst(place, item) < 0 })
    )
  const page: ReadonlyArray<InboxItem> = found.slice(0, query.limit).map((item) => shown(inbox, entry, item, now))
  const last = found.length > query.limit ? page[page.length - 1] : undefined
  const next = Option.map(Option.fromUndefinedOr(last), ({ id, receivedAt }) => ({ receivedAt, id }))
  return { items: page, next }
}

const markRead = (inbox: MemoryInbox, { entry, items }: Found, limit: number, at: DateTime.Utc): number => {
  const changes = items
    .flatMap((item) => {
      const change = item.isOwn ? Option.none() : decideRead(shown(inbox, entry, item, at))
      return Option.isSome(change) ? [{ item, change: change.value }] : []
    })
    .slice(0, limit)
  for (const { change, item } of changes) {
    entry.items.set(keyOf(item), { ...item, isRead: true })
    addUnread(entry, item.source, change.unread)
  }
  const events = changes.flatMap(({ change }) => change.events)
  writeEvents(inbox, entry.account.workspaceId, events, at)
  return changes.length
}

const setLabels = (
  inbox: MemoryInbox,
  { entry, items, name }: Found,
  labels: ReadonlyArray<string>,
  at: DateTime.Utc
) => {
  const [item] = items
  const before = entry.labels.get(name) ?? new Map<string, { readonly label: string; readonly n: number }>()
  const same = isSameLabels(
    Array.from(before.values(), ({ label }) => label),
    labels
  )
  if (item === undefined || same) return
  entry.labels.set(
    name,
    new Map(
      labels.map((label) => [foldLabel(label), { label, n: before.get(foldLabel(label))?.n ?? (inbox.labeled += 1) }])
    )
  )
  const event = threadUpdated(item, entry.threads.get(name) ?? untouched)
  const told = withThreads([event], () => toShownThread(inbox, entry, items, at))
  writeEvents(inbox, entry.account.workspaceId, told, at)
}

const listLabels = (inbox: MemoryInbox, scope: ItemScope, limit: number): ReadonlyArray<LabelCount> => {
  const uses = threadsIn(inbox, scope).flatMap(({ entry, name }) =>
    Array.from(entry.labels.get(name) ?? [], ([folded, { label, n }]) => {
      const isOpen = entry.threads.get(name)?.status !== "resolved"
      return { folded, label, n, isOpen }
    })
  )
  const byFolded = Array.from(
    Map.groupBy(uses, ({ folded }) => folded),
    ([folded, found]) => ({
      folded,
      label: found.reduce((first, use) => (use.n < first.n ? use : first)).label,
      openThreads: found.filter(({ isOpen }) => isOpen).length
    })
  )
  return byFolded
    .sort((a, b) => b.openThreads - a.openThreads || (a.folded < b.folded ? -1 : 1))
    .slice(0, limit)
    .map(({ label, openThreads }) => ({ label, openThreads }))
}

/** The oldest first; at the same time, the lesser id first. */
const oldestFirst = (a: PageKey, b: PageKey): number =>
  DateTime.toEpochMillis(a.createdAt) - DateTime.toEpochMillis(b.createdAt) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

const listNotes = ({ entry }: Found, id: ThreadId, { after, limit }: PageRequest) => {
  const found = Array.from(entry.notes.values())
    .filter((note) => note.threadId === id)
    .filter((note) => Option.match(after, { onNone: () => true, onSome: (key) => oldestFirst(key, note) < 0 }))
    .sort(oldestFirst)
  return toPage(found.slice(0, limit + 1), limit)
}

/** Adds or takes away a note of a thread, with its event. */
const writeNote = (
  inbox: MemoryInbox,
  { entry, items: [item] }: Found,
  note: ThreadNote,
  isThere: boolean,
  at: DateTime.Utc
) => {
  if (item === undefined) return
  if (isThere) entry.notes.set(note.id, note)
  else entry.notes.delete(note.id)
  const named = { accountId: item.accountId, source: item.source }
  const event: InboxEvent = isThere
    ? { _tag: "NoteAdded", ...named, note }
    : { _tag: "NoteDeleted", ...named, threadId: note.threadId, noteId: note.id }
  writeEvents(inbox, entry.account.workspaceId, [event], at)
}

const wakeDue = (inbox: MemoryInbox, now: DateTime.Utc, limit: number): number => {
  const due = Array.from(inbox.accounts.values())
    .flatMap((entry) =>
      Array.from(entry.threads, ([name, state]) => ({ entry, name, state })).filter(({ state }) =>
        Option.exists(state.snoozedUntil, (until) => DateTime.isLessThanOrEqualTo(until, now))
      )
    )
    .slice(0, limit)
  for (const { entry, name, state } of due) {
    const thread = { ...state, snoozedUntil: Option.none() }
    const [item] = itemsByThread(entry).get(name) ?? []
    if (item === undefined) entry.threads.set(name, thread)
    else moveInMemory(inbox, entry, name, { thread, events: [threadUpdated(item, thread)] }, now)
  }
  return due.length
}

export const layer: Layer.Layer<ThreadStore, never, MemoryState> = Layer.effect(
  ThreadStore,
  Effect.map(MemoryState, ({ inbox }) => {
    const shownNow = (found: Found, now: DateTime.Utc) => toShownThread(inbox, found.entry, found.items, now)
    return ThreadStore.of({
      list: (scope, query) => Effect.map(DateTime.now, (now) => listThreads(inbox, scope, query, now)),
      find: (scope, id) =>
        Effect.map(DateTime.now, (now) =>
          Option.flatMap(Option.fromUndefinedOr(threadIn(inbox, scope, id)), (found) => shownNow(found, now))
        ),
      items: (scope, id, query) =>
        Effect.map(DateTime.now, (now) =>
          Option.map(Option.fromUndefinedOr(threadIn(inbox, scope, id)), (found) => listItems(inbox, found, query, now))
        ),
      markRead: (scope, id, limit, at) =>
        Effect.sync(() =>
          Option.map(Option.fromUndefinedOr(threadIn(inbox, scope, id)), (found) => markRead(inbox, found, limit, at))
        ),
      change: (scope, id, decide, at) =>
        Effect.suspend(() => {
          const found = threadIn(inbox, scope, id)
          const [item] = found?.items ?? []
          if (found === undefined || item === undefined) return Effect.succeed(Option.none<InboxThread>())
          const change = decide(item, found.entry.threads.get(threadOf(item)) ?? untouched)
          if (Result.isFailure(change)) return Effect.fail(change.failure)
          moveInMemory(inbox, found.entry, found.name, change.success, at)
          return Effect.succeed(shownNow(found, at))
        }),
      setLabels: (scope, id, labels, at) =>
        Effect.sync(() =>
          Option.flatMap(Option.fromUndefinedOr(threadIn(inbox, scope, id)), (found) => {
            setLabels(inbox, found, labels, at)
            return shownNow(found, at)
          })
        ),
      labels: (scope, limit) => Effect.sync(() => listLabels(inbox, scope, limit)),
      addNote: (scope, note) =>
        Effect.sync(() => {
          const found = threadIn(inbox, scope, note.threadId)
          if (found !== undefined) writeNote(inbox, found, note, true, note.createdAt)
          return found !== undefined
        }),
      notes: (scope, id, page) =>
        Effect.sync(() =>
          Option.map(Option.fromUndefinedOr(threadIn(inbox, scope, id)), (found) => listNotes(found, id, page))
        ),
      removeNote: (scope, id, noteId, at) =>
        Effect.sync(() =>
          Option.map(Option.fromUndefinedOr(threadIn(inbox, scope, id)), (found) => {
            const note = found.entry.notes.get(noteId)
            if (note?.threadId !== id) return false
            writeNote(inbox, found, note, false, at)
            return true
          })
        ),
      wakeDue: (now, limit) => Effect.sync(() => wakeDue(inbox, now, limit)),
      // Nothing outlives the process, so no other version has written here.
      countLeft: () => Effect.succeed(0)
    })
  })
)
