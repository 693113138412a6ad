import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type * as Stream from "effect/Stream"
import type { Source } from "../connectors/Source.ts"
import type { AccountGone } from "../inbox/InboxErrors.ts"
import type { ItemScope } from "../inbox/InboxStore.ts"
import type { LiveItem } from "../inbox/StoredItem.ts"
import type { IdempotencyKey } from "../kernel/IdempotencyKey.ts"
import type { InboxItemId, OutboundOperationId, SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { Candidate } from "./matchReply.ts"
import type { OperationLeaseLost } from "./OutboundErrors.ts"
import type { openStatuses, OutboundOperation } from "./OutboundOperation.ts"

/** An item as a reply sees it. */
export interface AnsweredItem {
  readonly item: LiveItem
  /** When somebody else wrote last in its thread. */
  readonly newestInboundAt: Option.Option<DateTime.Utc>
}

/** What names a reply: the same key on another item is another reply. */
export interface ReplyName {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
  readonly itemId: InboxItemId
  readonly idempotencyKey: Option.Option<IdempotencyKey>
}

/** An operation in the hands of one worker, until its lease ends. */
export interface OperationClaim {
  readonly operation: OutboundOperation
  /** Fencing token: only the holder of the current lease can change the operation. */
  readonly token: string
}

/** What becomes of an operation that a worker holds. */
export interface OperationChange {
  readonly operation: OutboundOperation
  /** Until when, on the lease clock, the worker keeps it; none hands it back. */
  readonly leaseUntil: Option.Option<DateTime.Utc>
}

/** An own item of the operation's account and source: perhaps what it posted. */
export interface OwnItem extends Candidate {
  readonly itemId: InboxItemId
  /** When it was stored here. */
  readonly createdAt: DateTime.Utc
}

/** What a store reads, under the account's lock, to tell whose posts are whose. */
export interface ReconcileFacts {
  readonly operation: OutboundOperation
  /** Other operations of the account whose outcome is open: sending, or unknown. */
  readonly rivals: ReadonlyArray<OutboundOperation>
  /** Own items of the account and source received since a minute before the attempt, at most 500, oldest first. */
  readonly own: ReadonlyArray<OwnItem>
  /** Which of the candidates, or of the own items, other operations of the account have. */
  readonly taken: ReadonlySet<string>
}

export type OpenOperations = Readonly<Record<(typeof openStatuses)[number], number>>

/**
 * Port: replies from their acceptance to their end.
 *
 * Every change of what a reader sees of an operation writes a `ReplyUpdated` event in the same transaction. Storing an
 * own item (`InboxStore.ingest`) makes the account's operations of unknown outcome due at once, in the transaction of
 * the item, so that no echo is missed.
 */
export class OutboundStore extends Context.Service<
  OutboundStore,
  {
    /** A live item of a scope. */
    readonly findAnswered: (
      scope: ItemScope,
      id: InboxItemId
    ) => Effect.Effect<Option.Option<AnsweredItem>, StoreUnavailable>
    /**
     * One transaction for each name at a time: finds what the key made before, asks `decide`, and keeps what it says;
     * without a key there is never anything before.
     */
    readonly submit: <E>(
      name: ReplyName,
      decide: (existing: Option.Option<OutboundOperation>) => Result.Result<OutboundOperation, E>
    ) => Effect.Effect<OutboundOperation, E | AccountGone | StoreUnavailable>
    /** An operation whose account is in the scope and whose source the plan has. */
    readonly find: (
      scope: ItemScope,
      id: OutboundOperationId
    ) => Effect.Effect<Option.Option<OutboundOperation>, StoreUnavailable>
    /**
     * Takes operations of these sources that are due and that nobody holds, the longest due first, at most `limit`.
     * Nothing else of them changes.
     */
    readonly claim: (request: {
      readonly sources: ReadonlyArray<Source>
      readonly limit: number
      readonly token: string
      readonly now: DateTime.Utc
      readonly leaseNow: DateTime.Utc
      readonly leaseUntil: DateTime.Utc
    }) => Effect.Effect<ReadonlyArray<OperationClaim>, StoreUnavailable>
    readonly renew: (
      claim: OperationClaim,
      leaseUntil: DateTime.Utc
    ) => Effect.Effect<void, OperationLeaseLost | StoreUnavailable>
    /** Changes an operation under its lock, if the claim still holds it. */
    readonly change: (
      claim: OperationClaim,
      decide: (operation: OutboundOperation) => OperationChange
    ) => Effect.Effect<OutboundOperation, OperationLeaseLost | StoreUnavailable>
    /** The same under the lock of the account's replies, by what is stored of them; `candidates` are external ids. */
    readonly reconcile: (
      claim: OperationClaim,
      candidates: ReadonlyArray<string>,
      decide: (facts: ReconcileFacts) => OperationChange
    ) => Effect.Effect<OutboundOperation, OperationLeaseLost | StoreUnavailable>
    /** Has the account's operations of unknown outcome looked for at once (`hastened`). */
    readonly hasten: (
      account: Pick<OutboundOperation, "workspaceId" | "accountId">
    ) => Effect.Effect<void, StoreUnavailable>
    /** The item with this id of the network, if it is there. */
    readonly findItemId: (
      operation: Pick<OutboundOperation, "workspaceId" | "accountId" | "source">,
      externalId: string
    ) => Effect.Effect<Option.Option<InboxItemId>, StoreUnavailable>
    /** How many operations of all workspaces have not ended, by status; none of a status is 0. */
    readonly depth: Effect.Effect<OpenOperations, StoreUnavailable>
    /** Told when something may be due; saves waiting, and nothing depends on it. */
    readonly wakeUps: Stream.Stream<void>
  }
>()("@loopbox/core/outbound/OutboundStore") {}
