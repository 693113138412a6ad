import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type * as Stream from "effect/Stream"
import type { Source } from "../networks/Source.ts"
import type { AccountGone } from "../accounts/AccountErrors.ts"
import type { ItemScope } from "../items/ItemScope.ts"
import type { IdempotencyKey } from "../kernel/IdempotencyKey.ts"
import type { InboxItemId, OutboundOperationId, SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import type { QueueDepth } from "../kernel/QueueDepth.ts"
import type { MediaNotFound } from "../media/MediaErrors.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { LeaseRequest } from "../kernel/lease/claimLoop.ts"
import type { LeaseLost } from "../kernel/lease/LeaseLost.ts"
import type { Candidate } from "./matchReply.ts"
import type { openStatuses, OutboundOperation, PrivateTarget } from "./OutboundOperation.ts"

/** Identifies a reply: the same key on another item is another reply. */
export interface ReplyName {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
  readonly itemId: InboxItemId
  readonly idempotencyKey: Option.Option<IdempotencyKey>
  /** A key names one answer of either kind. */
  readonly privately: Option.Option<PrivateTarget>
}

/** An operation leased to one worker. */
export interface OperationClaim {
  readonly operation: OutboundOperation
  /** Fencing token: only the holder of the current lease can change the operation. */
  readonly token: string
}

/** The result of a change to a claimed operation. */
export interface OperationChange {
  readonly operation: OutboundOperation
  /** The new end of the lease, on the lease clock; `none` releases the claim. */
  readonly leaseUntil: Option.Option<DateTime.Utc>
}

/** An own item of the operation's account, of the source that it makes, which the operation may have posted. */
export interface OwnItem extends Candidate {
  readonly itemId: InboxItemId
  /** When it was stored here. */
  readonly createdAt: DateTime.Utc
}

/** What a store reads, under the account's lock, to match posts with operations. */
export interface ReconcileFacts {
  readonly operation: OutboundOperation
  /** The account's other operations that are being sent, or have an unknown outcome. */
  readonly rivals: ReadonlyArray<OutboundOperation>
  /** There are more of them, which this version cannot read: what is found by its text may be theirs. */
  readonly hasUnreadRivals: boolean
  /** The account's own items of the source, received since one minute before the attempt; at most 500, oldest first. */
  readonly own: ReadonlyArray<OwnItem>
  /** The candidates and own items that belong to other operations of the account. */
  readonly taken: ReadonlySet<string>
}

/**
 * Port: the operations of replies.
 *
 * Every visible change of an operation writes a `ReplyUpdated` event in the same transaction. Storing an own item
 * (`IngestStore.ingest`) makes the account's operations of unknown outcome due at once, in the same transaction, so that
 * no echo is missed.
 */
export class OutboundStore extends Context.Service<
  OutboundStore,
  {
    /**
     * One transaction per reply name at a time: finds the earlier operation of the key, calls `decide`, and stores the
     * result. Without a key there is no earlier operation. Of one item one private reply is submitted at a time;
     * `rivals` are its other private replies that have not ended. The files of an operation must be there, and stay
     * until it has ended.
     */
    readonly submit: <E>(
      name: ReplyName,
      decide: (
        existing: Option.Option<OutboundOperation>,
        rivals: ReadonlyArray<OutboundOperation>
      ) => Result.Result<OutboundOperation, E>
    ) => Effect.Effect<OutboundOperation, E | AccountGone | MediaNotFound | StoreUnavailable>
    /** An operation whose account is in the scope and whose source is in the plan. */
    readonly find: (
      scope: ItemScope,
      id: OutboundOperationId
    ) => Effect.Effect<Option.Option<OutboundOperation>, StoreUnavailable>
    /** Claims at most `limit` due operations of these sources, the longest due first. Only the lease changes. */
    readonly claim: (
      request: LeaseRequest & { readonly sources: ReadonlyArray<Source>; readonly now: DateTime.Utc }
    ) => Effect.Effect<ReadonlyArray<OperationClaim>, StoreUnavailable>
    readonly renew: (
      claim: OperationClaim,
      leaseUntil: DateTime.Utc
    ) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /** Changes an operation under its lock, if the lease is not lost. */
    readonly change: (
      claim: OperationClaim,
      decide: (operation: OutboundOperation) => OperationChange
    ) => Effect.Effect<OutboundOperation, LeaseLost | StoreUnavailable>
    /** The same under the lock of the account's replies, with the facts about them. `candidates` are external ids. */
    readonly reconcile: (
      claim: OperationClaim,
      candidates: ReadonlyArray<string>,
      decide: (facts: ReconcileFacts) => OperationChange
    ) => Effect.Effect<OutboundOperation, LeaseLost | StoreUnavailable>
    /** Makes the account's operations of unknown outcome due at once (`hastened`). */
    readonly hasten: (
      account: Pick<OutboundOperation, "workspaceId" | "accountId">
    ) => Effect.Effect<void, StoreUnavailable>
    /** Operations without a final state; the oldest by the time of its request. */
    readonly depth: Effect.Effect<QueueDepth<(typeof openStatuses)[number]>, StoreUnavailable>
    /** Lossy wake-up hints; workers also poll. */
    readonly wakeUps: Stream.Stream<void>
  }
>()("@loopbox/core/outbound/OutboundStore") {}
