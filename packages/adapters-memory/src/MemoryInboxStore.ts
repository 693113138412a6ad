import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { decideRead, decideReadBatch, decideUnread, type ReadChange } from "@loopbox/core/items/decideRead"
import type { InboxItem, ItemPosition } from "@loopbox/core/items/InboxItem"
import { InboxStore, type ItemQuery, type MarkBatch } from "@loopbox/core/inbox/InboxStore"
import { matchesSearch } from "@loopbox/core/search/SearchQuery"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import { keyOf, type LiveItem, threadOf } from "@loopbox/core/items/StoredItem"
import { unreadDelta } from "@loopbox/core/items/unreadDelta"
import type { InboxItemId } from "@loopbox/core/kernel/Ids"
import {
  type AccountEntry,
  accountsIn,
  addUnread,
  liveIn,
  type MemoryInbox,
  newestFirst,
  newestInbound,
  shown,
  threadStateOf,
  writeEvents
} from "./memoryInbox.ts"
import { MemoryState } from "./MemoryState.ts"
import { moveInMemory } from "./memoryThreads.ts"

const isAsked = <A>(asked: Option.Option<A>, actual: A): boolean => Option.isNone(asked) || asked.value === actual

/** Filters stored items first, so that items are built only for the few that match. */
const isWanted = (entry: AccountEntry, live: LiveItem, query: ItemQuery): boolean => {
  const thread = threadStateOf(entry, live)
  return (
    isAsked(query.source, live.source) &&
    isAsked(query.isRead, live.isRead) &&
    isAsked(query.isOwn, live.isOwn) &&
    isAsked(query.threadKey, live.threadKey) &&
    Option.match(query.postId, { onNone: () => true, onSome: (id) => Option.contains(live.postId, id) }) &&
    isAsked(query.accountId, live.accountId) &&
    isAsked(query.threadStatus, thread.status) &&
    Option.match(query.assignedTo, {
      onNone: () => true,
      onSome: (name) => Option.getOrNull(name) === Option.getOrNull(thread.assignedTo)
    }) &&
    Option.match(query.receivedAfter, {
      onNone: () => true,
      onSome: (at) => DateTime.isGreaterThanOrEqualTo(live.receivedAt, at)
    }) &&
    Option.match(query.receivedBefore, {
      onNone: () => true,
      onSome: (at) => DateTime.isLessThan(live.receivedAt, at)
    }) &&
    Option.match(query.search, {
      onNone: () => true,
      onSome: (search) => matchesSearch(search, [live.body, ...Option.toArray(live.authorName)])
    }) &&
    Option.match(query.after, { onNone: () => true, onSome: (place) => newestFirst(place, live) < 0 })
  )
}

interface Found {
  readonly entry: AccountEntry
  readonly live: LiveItem
}

const liveItemsIn = (inbox: MemoryInbox, scope: ItemScope): ReadonlyArray<Found> =>
  accountsIn(inbox, scope).flatMap((entry) =>
    Array.from(entry.items.values()).flatMap((live) =>
      live._tag === "LiveItem" && scope.sources.has(live.source) ? [{ entry, live }] : []
    )
  )

const listItems = (inbox: MemoryInbox, scope: ItemScope, query: ItemQuery, now: DateTime.Utc) => {
  const found = liveItemsIn(inbox, scope)
    .filter(({ entry, live }) => isWanted(entry, live, query))
    .sort((a, b) => newestFirst(a.live, b.live))
  const items = found.slice(0, query.limit).map(({ entry, live }) => shown(inbox, entry, live, now))
  const last = items[items.length - 1]
  const next =
    found.length > query.limit && last !== undefined ? { receivedAt: last.receivedAt, id: last.id } : undefined
  return { items, next: Option.fromUndefinedOr<ItemPosition | undefined>(next) }
}

const setRead = (
  inbox: MemoryInbox,
  scope: ItemScope,
  id: InboxItemId,
  decide: (item: InboxItem) => Option.Option<ReadChange>,
  at: DateTime.Utc
): boolean => {
  const found = liveIn(inbox, scope, id)
  if (found === undefined) return false
  const { entry, key, live } = found
  const decided = decide(shown(inbox, entry, live, at))
  if (Option.isNone(decided)) return true
  entry.items.set(key, { ...live, isRead: decided.value.item.isRead })
  addUnread(entry, live.source, decided.value.unread)
  writeEvents(inbox, scope.scope.workspaceId, decided.value.events, at)
  return true
}

const markBatch = (inbox: MemoryInbox, scope: ItemScope, { at, limit, upToSeq }: MarkBatch): number => {
  const unread = liveItemsIn(inbox, scope)
    .filter(({ live }) => !live.isRead && (inbox.index.get(live.id)?.seq ?? 0) <= upToSeq)
    .slice(0, limit)
  const { events, marked, ...change } = decideReadBatch(
    scope.scope,
    upToSeq,
    unread.map(({ live }) => ({
      accountId: live.accountId,
      source: live.source,
      items: 1,
      counted: unreadDelta(undefined, live)
    }))
  )
  for (const { entry, live } of unread) entry.items.set(keyOf(live), { ...live, isRead: true })
  for (const { accountId, delta, source } of change.unread) {
    const entry = inbox.accounts.get(accountId)
    if (entry !== undefined) addUnread(entry, source, delta)
  }
  writeEvents(inbox, scope.scope.workspaceId, events, at)
  return marked
}

export const layer: Layer.Layer<InboxStore, never, MemoryState> = Layer.effect(
  InboxStore,
  Effect.map(MemoryState, ({ inbox }) =>
    InboxStore.of({
      list: (scope, query) => Effect.map(DateTime.now, (now) => listItems(inbox, scope, query, now)),
      countUnread: (scope) =>
        Effect.sync(() =>
          accountsIn(inbox, scope)
            .flatMap(({ unread }) => Array.from(unread))
            .reduce((sum, [source, count]) => sum + (scope.sources.has(source) ? count : 0), 0)
        ),
      find: (scope, id) =>
        Effect.map(DateTime.now, (now) => {
          const found = liveIn(inbox, scope, id)
          return found === undefined ? Option.none() : Option.some(shown(inbox, found.entry, found.live, now))
        }),
      markRead: (scope, id, at) => Effect.sync(() => setRead(inbox, scope, id, decideRead, at)),
      markUnread: (scope, id, at) => Effect.sync(() => setRead(inbox, scope, id, decideUnread, at)),
      markBatch: (scope, batch) => Effect.sync(() => markBatch(inbox, scope, batch)),
      moveThread: (scope, id, move, at) =>
        Effect.suspend(() => {
          const found = liveIn(inbox, scope, id)
          if (found === undefined) return Effect.succeed(Option.none<InboxItem>())
          const { entry, live } = found
          const change = move(shown(inbox, entry, live, at), threadStateOf(entry, live))
          if (Result.isFailure(change)) return Effect.fail(change.failure)
          const { events, thread } = change.success
          moveInMemory(inbox, entry, threadOf(live), { events, thread }, at)
          return Effect.succeed(Option.some(shown(inbox, entry, live, at)))
        }),
      findAnswered: (scope, id) =>
        Effect.sync(() => {
          const found = liveIn(inbox, scope, id)
          if (found === undefined) return Option.none()
          const { entry, live } = found
          return Option.some({ item: live, newestInboundAt: newestInbound(entry, live) })
        })
    })
  )
)
