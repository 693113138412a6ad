import * as Option from "effect/Option"
import type { InboxScope } from "../access/InboxScope.ts"
import type { SocialAccountId } from "../kernel/Ids.ts"
import type { Source } from "../networks/Source.ts"
import { type InboxEvent, itemUpdated } from "./InboxEvent.ts"
import type { InboxItem } from "./InboxItem.ts"
import { unreadDelta } from "./unreadDelta.ts"

/** What a store writes when an item is read, in one transaction. */
export interface ReadChange {
  readonly item: InboxItem
  /** Change of the counter of its account and source. */
  readonly unread: number
  readonly events: ReadonlyArray<InboxEvent>
}

/** Marks an item as read; `none` if it already is. */
export const decideRead = (before: InboxItem): Option.Option<ReadChange> => readAs(before, true)

/** Marks an item as not read; `none` if it is not, or the account's own, which always counts as read. */
export const decideUnread = (before: InboxItem): Option.Option<ReadChange> =>
  before.isOwn ? Option.none() : readAs(before, false)

const readAs = (before: InboxItem, isRead: boolean): Option.Option<ReadChange> => {
  if (before.isRead === isRead) return Option.none()
  const item: InboxItem = { ...before, isRead }
  return Option.some({ item, unread: unreadDelta(before, item), events: [itemUpdated(item)] })
}

/** Items of one account and source that were marked together. */
export interface MarkedItems {
  readonly accountId: SocialAccountId
  readonly source: Source
  readonly items: number
  /** The marked items that the unread counter included: not the account's own items. */
  readonly counted: number
}

/** What a store writes in addition to the marks of a batch, in the same transaction. */
export interface BatchReadChange {
  readonly marked: number
  /** Once per account and source, without zeros. */
  readonly unread: ReadonlyArray<{
    readonly accountId: SocialAccountId
    readonly source: Source
    readonly delta: number
  }>
  readonly events: ReadonlyArray<InboxEvent>
}

/** One batch of a mark-all: one event, or none if nothing was marked. */
export const decideReadBatch = (
  scope: InboxScope,
  upToSeq: number,
  found: ReadonlyArray<MarkedItems>
): BatchReadChange => {
  const counted = new Map<string, { accountId: SocialAccountId; source: Source; delta: number }>()
  let marked = 0
  for (const { accountId, counted: count, items, source } of found) {
    marked += items
    const key = `${accountId} ${source}`
    const delta = (counted.get(key)?.delta ?? 0) - count
    if (delta !== 0) counted.set(key, { accountId, source, delta })
  }
  const externalUserId = scope._tag === "ManagedUserScope" ? Option.some(scope.externalUserId) : Option.none()
  return {
    marked,
    unread: Array.from(counted.values()),
    events: marked === 0 ? [] : [{ _tag: "ItemsRead", externalUserId, upToSeq, marked: Option.some(marked) }]
  }
}
