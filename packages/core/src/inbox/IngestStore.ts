import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AuditEntry } from "../audit/AuditEvent.ts"
import type { InboxItemId, SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { AccountArrivals } from "../items/Arrival.ts"
import type { ExpectedItems } from "../sync/feedRules.ts"
import type { AccountGone } from "../accounts/AccountErrors.ts"
import type { LeaseLost } from "../kernel/lease/LeaseLost.ts"
import type { ItemKey } from "../items/StoredItem.ts"
import type { PollNotes, SyncClaim } from "../sync/PollStore.ts"

/** The activities of one account, from one or several deliveries or from a poll. */
export interface IngestUnit extends AccountArrivals {
  readonly now: DateTime.Utc
  /** The deliveries whose units for this account are complete with this; recorded in the same transaction. */
  readonly completes: ReadonlyArray<string>
  /** A webhook brought it, and that is to be noted for the account's health. */
  readonly isHeard: boolean
  /**
   * What a caller did with one item at its network, which has confirmed it: audited also where its webhook was quicker, and
   * nothing is left to change.
   */
  readonly audit?: AuditEntry
  /** The poll that read it: its lease must still be held, and its progress is stored in the same transaction. */
  readonly poll: Option.Option<IngestPoll>
}

export interface IngestPoll {
  readonly claim: Pick<SyncClaim, "workspaceId" | "accountId" | "token">
  /** Computed in the transaction, from what the activities changed. */
  readonly notes: (outcome: IngestOutcome) => PollNotes
}

export interface IngestOutcome {
  readonly created: number
  /** By `keyOf`: the items that are new or changed. */
  readonly changed: ReadonlySet<string>
}

/** `isRepeated`: the unit was already done for each of its deliveries, and nothing was changed. */
export interface IngestReceipt extends IngestOutcome {
  readonly events: number
  readonly isRepeated: boolean
}

/** The expected items that a complete read did not contain. */
export interface MissingItems {
  /** The newest first, each with its post or conversation. */
  readonly items: ReadonlyArray<ItemKey & { readonly receivedAt: DateTime.Utc; readonly hangsOn: string }>
  /** The total number. */
  readonly count: number
}

/**
 * Port: items as workers write them, of one account at a time.
 *
 * The events of a change are written in its transaction, and locks are taken in the order of `InboxStore`.
 */
export class IngestStore extends Context.Service<
  IngestStore,
  {
    /**
     * One transaction: records the unit as done, or stops if it was recorded before; reads the facts of `decideIngest`
     * under locks; writes its decision, with counters and events. If it writes own items, the account's replies of
     * unknown outcome become due, because one of them may have posted the item.
     */
    readonly ingest: (unit: IngestUnit) => Effect.Effect<IngestReceipt, AccountGone | LeaseLost | StoreUnavailable>
    /** The thread keys of known items, including deleted ones, by `keyOf`. */
    readonly findThreadKeys: (
      workspaceId: WorkspaceId,
      accountId: SocialAccountId,
      items: ReadonlyArray<ItemKey>
    ) => Effect.Effect<ReadonlyMap<string, string>, StoreUnavailable>
    /**
     * Live items that are expected, were listed before (`isListed`) and were not seen. For each of `expected`, in
     * order: the newest `limit`, and the total number.
     */
    readonly findMissing: (
      workspaceId: WorkspaceId,
      accountId: SocialAccountId,
      expected: ReadonlyArray<ExpectedItems>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<MissingItems>, StoreUnavailable>
    /** The live item that the network names so. */
    readonly findItemId: (
      workspaceId: WorkspaceId,
      accountId: SocialAccountId,
      item: ItemKey
    ) => Effect.Effect<Option.Option<InboxItemId>, StoreUnavailable>
  }
>()("@loopbox/core/inbox/IngestStore") {}
