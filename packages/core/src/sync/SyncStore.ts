import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { InboxScope } from "../access/InboxScope.ts"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import type { Network } from "../networks/Source.ts"
import type { SyncId, WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { AccountSync, BackfillInput, PollState, SyncRun } from "./SyncRun.ts"

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

/** Port: sync runs as callers start and read them, and the confirmations of large ones. `PollStore` carries them out. */
export class SyncStore extends Context.Service<
  SyncStore,
  {
    /**
     * Starts a run over the accounts of its scope that are for the inbox, in one transaction. `judge` decides which accounts are
     * done without a call; the others become due now. A run with nothing to wait for is completed at once, with its
     * event. Returns the earlier run of a used confirmation, or with `joinSince` an unfinished run, so that no account
     * is polled twice. A run does not wait for an account that is erased: without another it is completed then, with its event. Of a scope that was erased meanwhile: a completed run without accounts, which is not kept.
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
    /** Keeps nothing of a scope that was erased meanwhile. */
    readonly offer: (confirmation: BackfillConfirmation) => Effect.Effect<void, StoreUnavailable>
    readonly findConfirmation: (
      workspaceId: WorkspaceId,
      token: string
    ) => Effect.Effect<Option.Option<BackfillConfirmation>, StoreUnavailable>
    /** Deletes at most `limit` runs that started, and confirmations that expired, before a time. Returns how many. */
    readonly removeOlder: (
      before: { readonly runs: DateTime.Utc; readonly confirmations: DateTime.Utc },
      limit: number
    ) => Effect.Effect<number, StoreUnavailable>
  }
>()("@loopbox/core/sync/SyncStore") {}
