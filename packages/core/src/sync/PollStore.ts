import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { LeaseLost } from "../kernel/lease/LeaseLost.ts"
import type { Network } from "../networks/Source.ts"
import type { SocialAccountId, SyncId, WorkspaceId } from "../kernel/Ids.ts"
import type { LeaseRequest } from "../kernel/lease/claimLoop.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { PollFacts } from "./PollFacts.ts"
import type { PollLife } from "./pollPace.ts"
import { type AccountSync, BackfillCounts, type BackfillInput, type FeedState, type PollState } from "./SyncRun.ts"

/** The progress of a backfill of one account, stored so that no page is paid for twice after a crash. */
export const BackfillProgress = Schema.Struct({
  ...BackfillCounts.fields,
  cursor: Schema.Option(Schema.String),
  /** Whether it has reached posts older than requested. */
  isOver: Schema.optionalKey(Schema.Boolean),
  /** Whether it has left out posts, for it had taken as many as were requested. A page has five at least. */
  isCut: Schema.optionalKey(Schema.Boolean)
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
  /** When the account was last alive (`pollPace`); absent if that was never noted. */
  readonly aliveAt?: DateTime.Utc
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
  /**
   * For an account that is polled by itself: how alive it is. Ingest of what a webhook brought (`IngestUnit.isHeard`)
   * notes that the account is alive and makes its next poll due within `every`, where `isRoused` says so and no rate limit
   * is waited for. What it noted since the claim, of which this knows nothing, stays so. Absent: what was noted stays.
   */
  readonly life?: PollLife
}

/**
 * Port: when accounts are polled and by whom, and how far their feeds are read.
 *
 * One worker at a time polls an account, for all runs of `SyncStore` that wait for it. `IngestStore.ingest` updates feeds,
 * in the transaction of their items.
 */
export class PollStore extends Context.Service<
  PollStore,
  {
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
    /** Lossy wake-up hints for requested polls; workers also poll. */
    readonly requests: Stream.Stream<void>
  }
>()("@loopbox/core/sync/PollStore") {}
