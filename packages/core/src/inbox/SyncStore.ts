import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { InboxScope } from "../access/InboxScope.ts"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import type { Network } from "../connectors/Source.ts"
import type { SocialAccountId, SyncId, WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { SyncLeaseLost } from "./InboxErrors.ts"
import {
  type AccountSync,
  BackfillCounts,
  type BackfillInput,
  type FeedState,
  type PollState,
  type SyncRun
} from "./SyncRun.ts"

/** An account as a new run finds it. */
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
  /** The confirmation that lets it begin; it is used up. */
  readonly confirmation: Option.Option<string>
  readonly createdAt: DateTime.Utc
}

/** A question to the user whether so much may be read. */
export interface BackfillConfirmation {
  readonly workspaceId: WorkspaceId
  readonly token: string
  /** The scope that it was asked in. */
  readonly externalUserId: Option.Option<string>
  readonly input: BackfillInput
  readonly expiresAt: DateTime.Utc
  /** The run that it let begin. */
  readonly usedBy: Option.Option<SyncId>
}

/** How far a backfill of one account is, so that a crash does not pay twice. */
export const BackfillProgress = Schema.Struct({ ...BackfillCounts.fields, cursor: Schema.Option(Schema.String) })
export type BackfillProgress = typeof BackfillProgress.Type

/** A backfill of one account that is not at its end. */
export interface BackfillTask {
  readonly runId: SyncId
  readonly input: BackfillInput
  readonly createdAt: DateTime.Utc
  readonly progress: BackfillProgress
}

/** An account in the hands of one worker until its lease ends. */
export interface SyncClaim {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
  readonly network: Network
  readonly token: string
  /** Whether it is due by itself. */
  readonly isDue: boolean
  readonly state: PollState
}

/** What is to be done with a claimed account. */
export interface SyncWork {
  /** By `feedKey`. */
  readonly feeds: ReadonlyMap<string, FeedState>
  /** Whether somebody waits for a poll. */
  readonly isAsked: boolean
  /** What earlier workers had read and found of this poll, before they were lost. */
  readonly read: number
  readonly newItems: number
  readonly backfills: ReadonlyArray<BackfillTask>
}

/** What ingest notes of a poll, in the transaction of the items that it covers. */
export interface PollNotes {
  /** Only those that changed. */
  readonly feeds: ReadonlyArray<FeedState>
  readonly read: number
  readonly backfill: Option.Option<{ readonly runId: SyncId; readonly progress: BackfillProgress }>
}

/** How a claim ends. */
export interface SyncSettlement {
  /** For all who wait for a poll of the account; none if it was not polled. */
  readonly poll: Option.Option<AccountSync>
  readonly backfills: ReadonlyArray<{ readonly runId: SyncId; readonly result: AccountSync }>
  readonly state: PollState
  /** None: it is not polled by itself. */
  readonly nextPollAt: Option.Option<DateTime.Utc>
}

/**
 * Port: syncs: who asked for one, which account is polled when and by whom, and how far each feed was read.
 *
 * One worker at a time has an account, whoever asked for it: two syncs of one account at a time are one. Feeds move in
 * `InboxStore.ingest`, with the items that they cover.
 */
export class SyncStore extends Context.Service<
  SyncStore,
  {
    /**
     * Begins a run over the accounts of its scope that are not disconnected, in one transaction: `judge` says of each
     * whether it is done without a call; the others become due now. A run that has nothing to wait for is completed at
     * once, with its event. A confirmation that was used before gives the run that it let begin.
     */
    readonly start: (
      run: NewRun,
      judge: (account: PolledAccount) => Option.Option<AccountSync>
    ) => Effect.Effect<SyncRun, StoreUnavailable>
    /** A run of exactly this scope; the workspace's scope finds every one. */
    readonly find: (scope: InboxScope, id: SyncId) => Effect.Effect<Option.Option<SyncRun>, StoreUnavailable>
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
     * Takes accounts of a network that somebody waits for, whatever became of them, and, if `isAutomatic`, connected
     * ones that are due; those that have waited longest first.
     */
    readonly claim: (request: {
      readonly network: Network
      readonly limit: number
      readonly isAutomatic: boolean
      readonly token: string
      readonly now: DateTime.Utc
      readonly leaseNow: DateTime.Utc
      readonly leaseUntil: DateTime.Utc
    }) => Effect.Effect<ReadonlyArray<SyncClaim>, StoreUnavailable>
    readonly read: (claim: SyncClaim) => Effect.Effect<SyncWork, StoreUnavailable>
    /** Prolongs the lease; answers whether it was still held. */
    readonly extend: (claim: SyncClaim, leaseUntil: DateTime.Utc) => Effect.Effect<boolean, StoreUnavailable>
    /** Gives the account back as it is: another worker goes on at once. */
    readonly release: (claim: SyncClaim) => Effect.Effect<void, StoreUnavailable>
    /** Ends the claim, and with it every run that waited for nothing else, with its event. */
    readonly settle: (
      claim: SyncClaim,
      settlement: SyncSettlement,
      at: DateTime.Utc
    ) => Effect.Effect<void, SyncLeaseLost | StoreUnavailable>
    /** Removes at most `limit` runs that began, and confirmations that expired, before. Answers how many. */
    readonly removeOlder: (
      before: { readonly runs: DateTime.Utc; readonly confirmations: DateTime.Utc },
      limit: number
    ) => Effect.Effect<number, StoreUnavailable>
    /** Told when somebody asked; saves waiting, and nothing depends on it. */
    readonly requests: Stream.Stream<void>
  }
>()("@loopbox/core/inbox/SyncStore") {}
