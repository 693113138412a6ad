import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { InboxScope } from "../access/InboxScope.ts"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import type { LeaseLost } from "../kernel/lease/LeaseLost.ts"
import type { Network } from "../networks/Source.ts"
import type { SocialAccountId, SyncId, WorkspaceId } from "../kernel/Ids.ts"
import type { LeaseRequest } from "../kernel/lease/claimLoop.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { PollFacts } from "./PollFacts.ts"
import {
  type AccountSync,
  BackfillCounts,
  type BackfillInput,
  type FeedState,
  type PollState,
  type SyncRun
} from "./SyncRun.ts"

/** The state of an account when a run starts. */
export interface PolledAccount {
  readonly account: SocialAccount
  readonly state: PollState
  readonly nextPollAt: Option.Option<DateTime.Utc>
}

export interface NewRun {
  readonly id: SyncId
  readonly scope: InboxScope
  readonly networks: ReadonlySet<Network>
  readonly backfill: Option.Option<BackfillInput>
  /** The confirmation that allows it; used up by this run. */
  readonly confirmation: Option.Option<string>
  readonly createdAt: DateTime.Utc
  /** Joins an unfinished poll of the same scope and accounts instead, if it started after this time. */
  readonly joinSince?: DateTime.Utc
}

/** A confirmation that the user must give before a large backfill. */
export interface BackfillConfirmation {
  readonly workspaceId: WorkspaceId
  readonly token: string
  /** The scope of the request. */
  readonly externalUserId: Option.Option<string>
  readonly input: BackfillInput
  readonly expiresAt: DateTime.Utc
  /** The run that it allowed. */
  readonly usedBy: Option.Option<SyncId>
}

/** The progress of a backfill of one account, stored so that no page is paid for twice after a crash. */
export const BackfillProgress = Schema.Struct({
  ...BackfillCounts.fields,
  cursor: Schema.Option(Schema.String),
  /** Whether it has reached posts older than requested. */
  isOver: Schema.optionalKey(Schema.Boolean)
})
export type BackfillProgress = typeof BackfillProgress.Type

/** An unfinished backfill of one account. */
export interface BackfillTask {
  readonly runId: SyncId
  readonly input: BackfillInput
  readonly createdAt: DateTime.Utc
  readonly progress: BackfillProgress
}

/** An account leased to one worker. */
export interface SyncClaim {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
  readonly network: Network
  readonly token: string
  /** Whether an automatic poll or a poll hint is due. */
  readonly isDue: boolean
  readonly state: PollState
}

/** The work on a claimed account. */
export interface SyncWork {
  /** By `feedKey`. */
  readonly feeds: ReadonlyMap<string, FeedState>
  /** Whether a run waits for a poll. */
  readonly isAsked: boolean
  /** Progress of this poll by earlier, crashed workers. */
  readonly read: number
  readonly newItems: number
  readonly backfills: ReadonlyArray<BackfillTask>
}

/** Progress of a poll, stored by ingest in the transaction of its items. */
export interface PollNotes {
  /** Only those that changed. */
  readonly feeds: ReadonlyArray<FeedState>
  readonly read: number
  readonly backfill: Option.Option<{ readonly runId: SyncId; readonly progress: BackfillProgress }>
}

/** How a claim ends. */
export interface SyncSettlement {
  /** The result for all runs that wait for a poll; `none` if it was not polled. */
  readonly poll: Option.Option<AccountSync>
  readonly backfills: ReadonlyArray<{ readonly runId: SyncId; readonly result: AccountSync }>
  /** What it tells of the account's health; `none` if it was not polled. Stored in the same transaction. */
  readonly facts: Option.Option<PollFacts>
  readonly state: PollState
  /** None: who settles it polls nothing by itself. It stays due for a worker that does. */
  readonly nextPollAt: Option.Option<DateTime.Utc>
}

/**
 * Port: sync runs, the schedule and leases of accounts, and the state of their feeds.
 *
 * One worker at a time polls an account, for all runs that wait for it. `IngestStore.ingest` updates feeds, in the
 * transaction of their items.
 */
export class SyncStore extends Context.Service<
  SyncStore,
  {
    /**
     * Starts a run over the connected accounts of its scope, in one transaction. `judge` decides which accounts are
     * done without a call; the others become due now. A run with nothing to wait for is completed at once, with its
     * event. Returns the earlier run of a used confirmation, or with `joinSince` an unfinished run, so that no account
     * is polled twice.
     */
    readonly start: (
      run: NewRun,
      judge: (account: PolledAccount) => Option.Option<AccountSync>
    ) => Effect.Effect<SyncRun, StoreUnavailable>
    /** A run of exactly this scope. The workspace scope finds every run. */
    readonly find: (scope: InboxScope, id: SyncId) => Effect.Effect<Option.Option<SyncRun>, StoreUnavailable>
    /** Whether a run of the workspace is completed, without reading its results. */
    readonly isCompleted: (workspaceId: WorkspaceId, id: SyncId) => Effect.Effect<boolean, StoreUnavailable>
    /** How many accounts a run would have. */
    readonly countAccounts: (
      run: Pick<NewRun, "scope" | "networks" | "backfill">
    ) => Effect.Effect<number, StoreUnavailable>
    readonly offer: (confirmation: BackfillConfirmation) => Effect.Effect<void, StoreUnavailable>
    readonly findConfirmation: (
      workspaceId: WorkspaceId,
      token: string
    ) => Effect.Effect<Option.Option<BackfillConfirmation>, StoreUnavailable>
    /**
     * Claims accounts of a network, the longest waiting first: those that a run waits for, in any status, and connected
     * ones with a due poll hint or, if `isAutomatic`, a due automatic poll.
     */
    readonly claim: (
      request: LeaseRequest & {
        readonly network: Network
        readonly isAutomatic: boolean
        readonly now: DateTime.Utc
      }
    ) => Effect.Effect<ReadonlyArray<SyncClaim>, StoreUnavailable>
    /**
     * Schedules a poll of a connected account at `hintDue`, also without automatic polls, because its network announced
     * an item that did not arrive.
     */
    readonly hint: (
      workspaceId: WorkspaceId,
      accountId: SocialAccountId,
      now: DateTime.Utc
    ) => Effect.Effect<void, StoreUnavailable>
    readonly read: (claim: SyncClaim) => Effect.Effect<SyncWork, StoreUnavailable>
    /** Renews the lease of a claim. */
    readonly renew: (claim: SyncClaim, leaseUntil: DateTime.Utc) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /** Releases the claim unchanged: another worker may continue at once. */
    readonly release: (claim: SyncClaim) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /** Ends the claim, and completes every run that waits for no other account, with its event. */
    readonly settle: (
      claim: SyncClaim,
      settlement: SyncSettlement,
      at: DateTime.Utc
    ) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /** Deletes at most `limit` runs that started, and confirmations that expired, before a time. Returns how many. */
    readonly removeOlder: (
      before: { readonly runs: DateTime.Utc; readonly confirmations: DateTime.Utc },
      limit: number
    ) => Effect.Effect<number, StoreUnavailable>
    /** Lossy wake-up hints for requested polls; workers also poll. */
    readonly requests: Stream.Stream<void>
  }
>()("@loopbox/core/sync/SyncStore") {}
