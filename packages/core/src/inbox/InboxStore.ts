import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type { Source } from "../networks/Source.ts"
import type { InboxItemId, PostId, SocialAccountId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { AssigneeNotAllowed } from "../items/ThreadErrors.ts"
import type { InboxItem, ItemPosition } from "../items/InboxItem.ts"
import type { ItemScope } from "../items/ItemScope.ts"
import type { LiveItem } from "../items/StoredItem.ts"
import type { ThreadChange } from "../items/decideMove.ts"
import type { ThreadStatus, WorkState } from "../items/Thread.ts"
import type { SearchQuery } from "../search/SearchQuery.ts"

/** Filters of a list; `none` matches everything. */
export interface ItemFilter {
  readonly source: Option.Option<Source>
  readonly isRead: Option.Option<boolean>
  readonly isOwn: Option.Option<boolean>
  readonly threadStatus: Option.Option<ThreadStatus>
  readonly threadKey: Option.Option<string>
  /** Items that hang on this post of this program. */
  readonly postId: Option.Option<PostId>
  readonly accountId: Option.Option<SocialAccountId>
  /** An inner `none` matches unassigned threads. */
  readonly assignedTo: Option.Option<Option.Option<string>>
  /** Inclusive. */
  readonly receivedAfter: Option.Option<DateTime.Utc>
  /** Exclusive. */
  readonly receivedBefore: Option.Option<DateTime.Utc>
  /** Items that have all of it in their body and their author's name. */
  readonly search: Option.Option<SearchQuery>
}

export interface ItemQuery extends ItemFilter {
  /** Maximum number of items; the caller has validated it. */
  readonly limit: number
  /** Return only items after this position, that is, older items. */
  readonly after: Option.Option<ItemPosition>
}

export interface ItemPage {
  readonly items: ReadonlyArray<InboxItem>
  /** The position of the next page; absent at the end. A short page may have one, too. */
  readonly next: Option.Option<ItemPosition>
}

/** An item to reply to. */
export interface AnsweredItem {
  readonly item: LiveItem
  /** Time of the last message of another person in its thread. */
  readonly newestInboundAt: Option.Option<DateTime.Utc>
}

/** One step of a mark-all. */
export interface MarkBatch {
  /** Only items whose `NewItem` event has at most this number. */
  readonly upToSeq: number
  readonly limit: number
  readonly at: DateTime.Utc
}

/**
 * Port: items, threads and unread counters as callers read and change them, always within a scope. What networks say
 * of items is written by `IngestStore`.
 *
 * Every change writes its events in the same transaction, numbered per workspace without gaps in commit order. Locks
 * are taken in a fixed order: threads (sorted), items, counters (sorted), and last the workspace's event number.
 */
export class InboxStore extends Context.Service<
  InboxStore,
  {
    /** Newest first by (`receivedAt`, `id`), with keyset pagination and a fixed number of queries. */
    readonly list: (scope: ItemScope, query: ItemQuery) => Effect.Effect<ItemPage, StoreUnavailable>
    /** Unread items that are not own: the sum of the scope's counters. */
    readonly countUnread: (scope: ItemScope) => Effect.Effect<number, StoreUnavailable>
    readonly find: (scope: ItemScope, id: InboxItemId) => Effect.Effect<Option.Option<InboxItem>, StoreUnavailable>
    /** A live item as a reply sees it. */
    readonly findAnswered: (
      scope: ItemScope,
      id: InboxItemId
    ) => Effect.Effect<Option.Option<AnsweredItem>, StoreUnavailable>
    /** Applies `decideRead`. Returns whether the item exists. */
    readonly markRead: (scope: ItemScope, id: InboxItemId, at: DateTime.Utc) => Effect.Effect<boolean, StoreUnavailable>
    /** Applies `decideUnread`. Returns whether the item exists. */
    readonly markUnread: (
      scope: ItemScope,
      id: InboxItemId,
      at: DateTime.Utc
    ) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Marks at most `limit` unread items of the scope, account after account, and applies `decideReadBatch`.
     *
     * @returns how many; fewer than `limit` when none are left.
     */
    readonly markBatch: (scope: ItemScope, batch: MarkBatch) => Effect.Effect<number, StoreUnavailable>
    /** Moves the thread of an item under its lock, as `move` decides of its state. Without an event nothing is written. */
    readonly moveThread: (
      scope: ItemScope,
      id: InboxItemId,
      move: (item: InboxItem, before: WorkState) => Result.Result<ThreadChange, AssigneeNotAllowed>,
      at: DateTime.Utc
    ) => Effect.Effect<Option.Option<InboxItem>, AssigneeNotAllowed | StoreUnavailable>
  }
>()("@loopbox/core/inbox/InboxStore") {}

/** Matches every item. */
export const noFilter: ItemFilter = {
  source: Option.none(),
  isRead: Option.none(),
  isOwn: Option.none(),
  threadStatus: Option.none(),
  threadKey: Option.none(),
  postId: Option.none(),
  accountId: Option.none(),
  assignedTo: Option.none(),
  receivedAfter: Option.none(),
  receivedBefore: Option.none(),
  search: Option.none()
}
