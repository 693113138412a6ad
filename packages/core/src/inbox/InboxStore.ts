import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type { InboxScope } from "../access/InboxScope.ts"
import type { Source } from "../connectors/Source.ts"
import type { InboxItemId, SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { IdentifiedActivity } from "./decideIngest.ts"
import type { ExpectedItems } from "./feedRules.ts"
import type { AccountGone, AssigneeNotAllowed, SyncLeaseLost } from "./InboxErrors.ts"
import type { InboxItem, ItemPosition } from "./InboxItem.ts"
import type { ItemKey } from "./StoredItem.ts"
import type { PollNotes, SyncClaim } from "./SyncStore.ts"
import type { ThreadState, ThreadStatus } from "./Thread.ts"

/** What a reader may reach: the accounts of a scope that are not disconnected, and the sources of the plan. */
export interface ItemScope {
  readonly scope: InboxScope
  readonly sources: ReadonlySet<Source>
}

/** Filters of a list; each narrows it, `none` leaves it open. */
export interface ItemFilter {
  readonly source: Option.Option<Source>
  readonly isRead: Option.Option<boolean>
  readonly isOwn: Option.Option<boolean>
  readonly threadStatus: Option.Option<ThreadStatus>
  readonly threadKey: Option.Option<string>
  readonly accountId: Option.Option<SocialAccountId>
  /** An inner `none` asks for what nobody is assigned to. */
  readonly assignedTo: Option.Option<Option.Option<string>>
  /** Inclusive. */
  readonly receivedAfter: Option.Option<DateTime.Utc>
  /** Exclusive. */
  readonly receivedBefore: Option.Option<DateTime.Utc>
}

export interface ItemQuery extends ItemFilter {
  /** Items at most; the caller has judged it. */
  readonly limit: number
  /** Give only what comes after this place, that is, what is older. */
  readonly after: Option.Option<ItemPosition>
}

export interface ItemPage {
  readonly items: ReadonlyArray<InboxItem>
  /** Where to go on; a short page may have one too, and only its absence is the end. */
  readonly next: Option.Option<ItemPosition>
}

/** One step of a mark-all. */
export interface MarkBatch {
  /** Only items whose `NewItem` has this number or a lower one. */
  readonly upToSeq: number
  readonly limit: number
  readonly at: DateTime.Utc
}

/** What one or several deliveries say of one account. */
export interface IngestUnit {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
  readonly activities: ReadonlyArray<IdentifiedActivity>
  readonly now: DateTime.Utc
  /** The deliveries whose units this is, where it is all of them: the store notes them, in the same transaction. */
  readonly completes: ReadonlyArray<string>
  /** The poll that read it: its lease must still be held, and how far it is read is noted in the same transaction. */
  readonly poll: Option.Option<IngestPoll>
}

export interface IngestPoll {
  readonly claim: Pick<SyncClaim, "workspaceId" | "accountId" | "token">
  /** Judged in the transaction, by what the activities turned out to change. */
  readonly notes: (outcome: IngestOutcome) => PollNotes
}

export interface IngestOutcome {
  readonly created: number
  /** By `keyOf`: the items that are new or not as before. */
  readonly changed: ReadonlySet<string>
}

/** `isRepeated`: the unit was done before, of each of its deliveries, and nothing was looked at. */
export interface IngestReceipt extends IngestOutcome {
  readonly events: number
  readonly isRepeated: boolean
}

/** A counter of unread items that does not agree with the items. */
export interface CounterDrift {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
  readonly source: Source
  readonly counted: number
  readonly actual: number
}

/**
 * Port: items, threads and unread counters, always within a scope.
 *
 * Whoever changes them writes the events of the change in the same transaction, numbered per workspace without gaps
 * in the order of commits. Locks are taken in one order: threads (sorted), items, counters (sorted), the workspace's
 * number last.
 */
export class InboxStore extends Context.Service<
  InboxStore,
  {
    /** Newest first by (`receivedAt`, `id`), by a keyset; no query for each item. */
    readonly list: (scope: ItemScope, query: ItemQuery) => Effect.Effect<ItemPage, StoreUnavailable>
    /** Unread and not own: the sum of the scope's counters. */
    readonly countUnread: (scope: ItemScope) => Effect.Effect<number, StoreUnavailable>
    readonly find: (scope: ItemScope, id: InboxItemId) => Effect.Effect<Option.Option<InboxItem>, StoreUnavailable>
    /** Answers whether there is such an item; one that was read before stays as it is, and is no event. */
    readonly markRead: (scope: ItemScope, id: InboxItemId, at: DateTime.Utc) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Marks at most `limit` unread items of the scope, account after account, and writes at most one `ItemsRead`.
     *
     * @returns how many; fewer than `limit` when nothing is left.
     */
    readonly markBatch: (scope: ItemScope, batch: MarkBatch) => Effect.Effect<number, StoreUnavailable>
    /** Moves the thread of an item under its lock; a move to the same state changes nothing and is no event. */
    readonly moveThread: (
      scope: ItemScope,
      id: InboxItemId,
      move: (thread: ThreadState) => Result.Result<ThreadState, AssigneeNotAllowed>,
      at: DateTime.Utc
    ) => Effect.Effect<Option.Option<InboxItem>, AssigneeNotAllowed | StoreUnavailable>
    /**
     * One transaction: notes the delivery's unit, unless it was noted before (then that is all); reads the facts of
     * `decideIngest` under their locks; writes what it decides, counters and events included. Where it writes own
     * items, the account's replies of unknown outcome are due: one of them may have made the item.
     */
    readonly ingest: (unit: IngestUnit) => Effect.Effect<IngestReceipt, AccountGone | SyncLeaseLost | StoreUnavailable>
    /** Live items that are expected and were not seen, the newest first, at most `limit`. */
    readonly findMissing: (
      workspaceId: WorkspaceId,
      accountId: SocialAccountId,
      expected: ReadonlyArray<ExpectedItems>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ItemKey>, StoreUnavailable>
    /** The thread keys of items that are known, deleted ones included, by `keyOf`. */
    readonly findThreadKeys: (
      workspaceId: WorkspaceId,
      accountId: SocialAccountId,
      items: ReadonlyArray<ItemKey>
    ) => Effect.Effect<ReadonlyMap<string, string>, StoreUnavailable>
    /** Compares every counter with its items, and sets it right if asked; for the daily job and `loopbox doctor`. */
    readonly compareCounters: (options: {
      readonly repair: boolean
    }) => Effect.Effect<ReadonlyArray<CounterDrift>, StoreUnavailable>
  }
>()("@loopbox/core/inbox/InboxStore") {}

/** Lets everything through. */
export const noFilter: ItemFilter = {
  source: Option.none(),
  isRead: Option.none(),
  isOwn: Option.none(),
  threadStatus: Option.none(),
  threadKey: Option.none(),
  accountId: Option.none(),
  assignedTo: Option.none(),
  receivedAfter: Option.none(),
  receivedBefore: Option.none()
}
