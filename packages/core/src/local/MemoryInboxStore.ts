import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { ExpectedItems } from "../inbox/feedRules.ts"
import type { InboxItem, ItemPosition } from "../inbox/InboxItem.ts"
import { type CounterDrift, InboxStore, type ItemQuery, type ItemScope } from "../inbox/InboxStore.ts"
import { keyOf, type LiveItem, threadOf } from "../inbox/StoredItem.ts"
import { isSameThread } from "../inbox/Thread.ts"
import { unreadDelta } from "../inbox/unreadDelta.ts"
import type { InboxItemId } from "../kernel/Ids.ts"
import { ingestUnit } from "./memoryIngest.ts"
import {
  type AccountEntry,
  accountsIn,
  addUnread,
  liveIn,
  type MemoryInbox,
  shown,
  threadStateOf,
  writeEvents
} from "./memoryInbox.ts"
import { MemoryState } from "./MemoryState.ts"

const newestFirst = (a: ItemPosition, b: ItemPosition): number =>
  DateTime.toEpochMillis(b.receivedAt) - DateTime.toEpochMillis(a.receivedAt) ||
  (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

const isAsked = <A>(asked: Option.Option<A>, actual: A): boolean => Option.isNone(asked) || asked.value === actual

/** Judged on the live item first: the greater part of a large inbox is left out before anything is built. */
const isWanted = (entry: AccountEntry, live: LiveItem, query: ItemQuery): boolean => {
  const thread = threadStateOf(entry, live)
  return (
    isAsked(query.source, live.source) &&
    isAsked(query.isRead, live.isRead) &&
    isAsked(query.isOwn, live.isOwn) &&
    isAsked(query.threadKey, live.threadKey) &&
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

const listItems = (inbox: MemoryInbox, scope: ItemScope, query: ItemQuery) => {
  const found = liveItemsIn(inbox, scope)
    .filter(({ entry, live }) => isWanted(entry, live, query))
    .sort((a, b) => newestFirst(a.live, b.live))
  const items = found.slice(0, query.limit).map(({ entry, live }) => shown(entry, live))
  const last = items[items.length - 1]
  const next =
    found.length > query.limit && last !== undefined ? { receivedAt: last.receivedAt, id: last.id } : undefined
  return { items, next: Option.fromUndefinedOr<ItemPosition | undefined>(next) }
}

/** Stores a changed item with its counter. */
const replace = ({ entry, live }: Found, after: LiveItem): void => {
  entry.items.set(keyOf(after), after)
  addUnread(entry, after.source, unreadDelta(live, after))
}

const markRead = (inbox: MemoryInbox, scope: ItemScope, id: InboxItemId, at: DateTime.Utc): boolean => {
  const found = liveIn(inbox, scope, id)
  if (found === undefined) return false
  const { entry, live } = found
  if (live.isRead) return true
  const read = { ...live, isRead: true }
  replace(found, read)
  const event = {
    _tag: "ItemUpdated",
    accountId: live.accountId,
    source: live.source,
    item: shown(entry, read)
  } as const
  writeEvents(inbox, scope.scope.workspaceId, [event], at)
  return true
}

const compareCounters = (inbox: MemoryInbox, repair: boolean): ReadonlyArray<CounterDrift> => {
  const drifts: Array<CounterDrift> = []
  for (const entry of inbox.accounts.values()) {
    const { account, items, unread } = entry
    const actual = new Map(Array.from(unread.keys(), (source) => [source, 0]))
    for (const item of items.values()) {
      if (item._tag === "LiveItem") {
        actual.set(item.source, (actual.get(item.source) ?? 0) + unreadDelta(undefined, item))
      }
    }
    for (const [source, count] of actual) {
      const counted = unread.get(source) ?? 0
      if (counted === count) continue
      drifts.push({ workspaceId: account.workspaceId, accountId: account.id, source, counted, actual: count })
      if (repair) unread.set(source, count)
    }
  }
  return drifts
}

const isMissing = (item: LiveItem, expected: ReadonlyArray<ExpectedItems>): boolean =>
  expected.some(
    ({ after, before, by, seen, source, value }) =>
      item.source === source &&
      (by === "threadKey" ? item.threadKey === value : Option.contains(item.linkedPostId, value)) &&
      DateTime.isLessThan(item.receivedAt, before) &&
      Option.match(after, { onNone: () => true, onSome: (at) => DateTime.isGreaterThan(item.receivedAt, at) }) &&
      !seen.includes(item.externalId)
  )

export const layer: Layer.Layer<InboxStore, never, MemoryState> = Layer.effect(
  InboxStore,
  Effect.map(MemoryState, ({ inbox }) =>
    InboxStore.of({
      list: (scope, query) => Effect.sync(() => listItems(inbox, scope, query)),
      countUnread: (scope) =>
        Effect.sync(() =>
          accountsIn(inbox, scope)
            .flatMap(({ unread }) => Array.from(unread))
            .reduce((sum, [source, count]) => sum + (scope.sources.has(source) ? count : 0), 0)
        ),
      find: (scope, id) =>
        Effect.sync(() => {
          const found = liveIn(inbox, scope, id)
          return found === undefined ? Option.none() : Option.some(shown(found.entry, found.live))
        }),
      markRead: (scope, id, at) => Effect.sync(() => markRead(inbox, scope, id, at)),
      markBatch: (scope, { at, limit, upToSeq }) =>
        Effect.sync(() => {
          const unread = liveItemsIn(inbox, scope)
            .filter(({ live }) => !live.isRead && (inbox.index.get(live.id)?.seq ?? 0) <= upToSeq)
            .slice(0, limit)
          for (const found of unread) replace(found, { ...found.live, isRead: true })
          const { workspaceId, ...user } = scope.scope
          const externalUserId = user._tag === "ManagedUserScope" ? Option.some(user.externalUserId) : Option.none()
          const event = { _tag: "ItemsRead", externalUserId, upToSeq, marked: Option.some(unread.length) } as const
          if (unread.length > 0) writeEvents(inbox, workspaceId, [event], at)
          return unread.length
        }),
      moveThread: (scope, id, move, at) =>
        Effect.suspend(() => {
          const found = liveIn(inbox, scope, id)
          if (found === undefined) return Effect.succeed(Option.none<InboxItem>())
          const { entry, live } = found
          const { accountId, source, threadKey } = live
          const before = threadStateOf(entry, live)
          const moved = move(before)
          if (Result.isFailure(moved)) return Effect.fail(moved.failure)
          if (!isSameThread(before, moved.success)) {
            entry.threads.set(threadOf(live), moved.success)
            const event = { _tag: "ThreadUpdated", accountId, source, threadKey, ...moved.success } as const
            writeEvents(inbox, scope.scope.workspaceId, [event], at)
          }
          return Effect.succeed(Option.some(shown(entry, live)))
        }),
      ingest: (unit) => Effect.suspend(() => Effect.fromResult(ingestUnit(inbox, unit))),
      findThreadKeys: (workspaceId, accountId, keys) =>
        Effect.sync(() => {
          const entry = inbox.accounts.get(accountId)
          const found = new Map<string, string>()
          if (entry?.account.workspaceId !== workspaceId) return found
          for (const key of keys) {
            const named = entry.items.get(keyOf(key))
            const item = named?._tag === "ItemAlias" ? entry.items.get(keyOf({ ...key, externalId: named.of })) : named
            if (item?._tag === "LiveItem") found.set(keyOf(key), item.threadKey)
            if (item?._tag === "DeletedItem" && Option.isSome(item.threadKey))
              found.set(keyOf(key), item.threadKey.value)
          }
          return found
        }),
      findMissing: (workspaceId, accountId, expected, limit) =>
        Effect.sync(() => {
          const entry = inbox.accounts.get(accountId)
          if (entry?.account.workspaceId !== workspaceId) return []
          return Array.from(entry.items.values())
            .flatMap((item) => (item._tag === "LiveItem" && isMissing(item, expected) ? [item] : []))
            .sort(newestFirst)
            .slice(0, limit)
            .map(({ externalId, source }) => ({ externalId, source }))
        }),
      compareCounters: ({ repair }) => Effect.sync(() => compareCounters(inbox, repair))
    })
  )
)
