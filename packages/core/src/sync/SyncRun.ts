import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { pollSteps } from "../networks/PollStep.ts"
import { Network, Source } from "../networks/Source.ts"
import { SocialAccountId, type SyncId, type WorkspaceId } from "../kernel/Ids.ts"

/** The step in which the sync of one account failed; its other steps continued. */
export const SyncStep = Schema.Literals(["token", ...pollSteps])
export type SyncStep = typeof SyncStep.Type

export const SyncCode = Schema.Literals([
  "RATE_LIMITED",
  "RECONNECT_REQUIRED",
  "PERMISSION_MISSING",
  "SOURCE_UNAVAILABLE",
  "UPSTREAM_UNAVAILABLE",
  "UPSTREAM_INVALID"
])
export type SyncCode = typeof SyncCode.Type

export const SyncError = Schema.Struct({
  step: SyncStep,
  code: SyncCode,
  /** For a person; contains no secrets. */
  message: Schema.String,
  /** When it is retried, if known. */
  retryAt: Schema.Option(Schema.DateTimeUtc)
})
export type SyncError = typeof SyncError.Type

/** Why a backfill of one account ended. */
export const StopReason = Schema.Literals([
  "end_of_data",
  "max_items",
  "lookback",
  "rate_limited",
  "reconnect_required",
  "upstream_failed"
])
export type StopReason = typeof StopReason.Type

/** Outcome counts of the posts that a backfill read. */
export const BackfillCounts = Schema.Struct({
  read: Schema.Int,
  /** Stored as new items. */
  accepted: Schema.Int,
  /** Already stored. */
  duplicates: Schema.Int,
  /** Not for the inbox: own posts that answer nothing, reposts, deleted posts. */
  suppressed: Schema.Int
})
export type BackfillCounts = typeof BackfillCounts.Type

/** The result of a sync of one account. */
export const AccountSync = Schema.Struct({
  accountId: SocialAccountId,
  network: Network,
  /** Items that the network counts as read. */
  read: Schema.Int,
  newItems: Schema.Int,
  /** When it is polled next; `none` if it is not polled automatically. */
  nextPollAt: Schema.Option(Schema.DateTimeUtc),
  errors: Schema.Array(SyncError),
  /** Only for a backfill. */
  backfill: Schema.Option(Schema.Struct({ ...BackfillCounts.fields, stopReason: StopReason }))
})
export type AccountSync = typeof AccountSync.Type

/** How much of the past to read per X account (api.md §3). */
export const BackfillInput = Schema.Struct({
  /** One account of the scope; `none` for all. */
  accountId: Schema.Option(SocialAccountId),
  lookbackDays: Schema.Int,
  /** Per account. */
  maxItems: Schema.Int
})
export type BackfillInput = typeof BackfillInput.Type

/** One request for a sync, with its progress. */
export interface SyncRun {
  readonly id: SyncId
  readonly workspaceId: WorkspaceId
  /** The managed user whose accounts it covers; `none` for the whole workspace. */
  readonly externalUserId: Option.Option<string>
  readonly backfill: Option.Option<BackfillInput>
  readonly createdAt: DateTime.Utc
  readonly isCompleted: boolean
  readonly accountsChecked: number
  /** The finished accounts, ordered by id. */
  readonly accounts: ReadonlyArray<AccountSync>
}

export const newItemsOf = ({ accounts }: Pick<SyncRun, "accounts">): number =>
  accounts.reduce((sum, { newItems }) => sum + newItems, 0)

/** Why a step is skipped, and until when. */
const BlockedStep = Schema.Struct({ until: Schema.DateTimeUtc, error: SyncError })

/** A missing item that was looked up by its id. */
const Look = Schema.Struct({ source: Source, externalId: Schema.String, at: Schema.DateTimeUtc })

/** What is kept of an account between polls, in addition to its feeds. */
export const PollState = Schema.Struct({
  /** No calls before this time: rate limit, or open circuit. */
  wait: Schema.Option(BlockedStep),
  /** Steps that can't work now, and are not tried at each poll. */
  blocked: Schema.Array(BlockedStep),
  /** Look-ups of the last hour. */
  looks: Schema.Array(Look),
  /** When items of posts and conversations that are no longer listed were last checked. */
  searchedAt: Schema.Option(Schema.DateTimeUtc)
})
export type PollState = typeof PollState.Type

export const newPollState: PollState = {
  wait: Option.none(),
  blocked: [],
  looks: [],
  searchedAt: Option.none()
}

/** How far a feed was read. */
export const FeedState = Schema.Struct({
  source: Source,
  /** The network's id of the post or conversation. */
  feedId: Schema.String,
  /** The network's filter for newer items, if it has one. */
  checkpoint: Schema.Option(Schema.String),
  /** The newest item at the last complete read. */
  newest: Schema.Option(Schema.DateTimeUtc),
  /** The feed's `updatedAt` at the last complete read. */
  updatedAt: Schema.Option(Schema.DateTimeUtc),
  /** Time of the last complete read, for a feed with an `updatedAt`. */
  readAt: Schema.Option(Schema.DateTimeUtc),
  /**
   * For a feed with a count: the count and the time of the last complete read. `isSettled`: all of them were listed, or
   * an earlier read had the same count, since a network sometimes counts an item before it lists it. Absent in rows of
   * older versions.
   */
  counted: Schema.optionalKey(
    Schema.Struct({ size: Schema.Int, isSettled: Schema.Boolean, readAt: Schema.DateTimeUtc })
  ),
  /** Time of the first read. Older items are left to a backfill. */
  since: Schema.DateTimeUtc,
  /** An unfinished read that costs money: its next cursor, and the checkpoint to store at its end. */
  pending: Schema.Option(Schema.Struct({ cursor: Schema.String, checkpoint: Schema.Option(Schema.String) }))
})
export type FeedState = typeof FeedState.Type

export const feedKey = ({ feedId, source }: { readonly source: Source; readonly feedId: string }): string =>
  `${source} ${feedId}`
