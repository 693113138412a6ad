import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { pollSteps } from "../connectors/Feed.ts"
import { Network, Source } from "../connectors/Source.ts"
import { SocialAccountId, type SyncId, type WorkspaceId } from "../kernel/Ids.ts"

/** Where a sync of one account failed; the others of its steps went on. */
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
  /** For a person; without anything secret. */
  message: Schema.String,
  /** When it is tried again, where that is known. */
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

/** What became of the posts that a backfill read. */
export const BackfillCounts = Schema.Struct({
  read: Schema.Int,
  /** Stored as new items. */
  accepted: Schema.Int,
  /** Known before. */
  duplicates: Schema.Int,
  /** Not for the inbox: own posts that answer nothing, reposts, what is gone. */
  suppressed: Schema.Int
})
export type BackfillCounts = typeof BackfillCounts.Type

/** How a sync of one account went. */
export const AccountSync = Schema.Struct({
  accountId: SocialAccountId,
  network: Network,
  /** What the network sent, as it counts. */
  read: Schema.Int,
  newItems: Schema.Int,
  /** When it is polled next by itself; none where it is not. */
  nextPollAt: Schema.Option(Schema.DateTimeUtc),
  errors: Schema.Array(SyncError),
  /** Only of a backfill. */
  backfill: Schema.Option(Schema.Struct({ ...BackfillCounts.fields, stopReason: StopReason }))
})
export type AccountSync = typeof AccountSync.Type

/** How much of the past is read, of each X account (api.md §3). */
export const BackfillInput = Schema.Struct({
  /** One account of the scope; none for all. */
  accountId: Schema.Option(SocialAccountId),
  lookbackDays: Schema.Int,
  /** Of each account. */
  maxItems: Schema.Int
})
export type BackfillInput = typeof BackfillInput.Type

/** One request for a sync, and what has become of it so far. */
export interface SyncRun {
  readonly id: SyncId
  readonly workspaceId: WorkspaceId
  /** The managed user whose accounts it is about; none for the whole workspace. */
  readonly externalUserId: Option.Option<string>
  readonly backfill: Option.Option<BackfillInput>
  readonly createdAt: DateTime.Utc
  readonly isCompleted: boolean
  readonly accountsChecked: number
  /** Of the accounts that are done, in the order of their ids. */
  readonly accounts: ReadonlyArray<AccountSync>
}

export const newItemsOf = ({ accounts }: Pick<SyncRun, "accounts">): number =>
  accounts.reduce((sum, { newItems }) => sum + newItems, 0)

/** What a step is left alone for, and how long. */
const BlockedStep = Schema.Struct({ until: Schema.DateTimeUtc, error: SyncError })

/** An item that a poll missed and that was asked for by its id. */
const Look = Schema.Struct({ source: Source, externalId: Schema.String, at: Schema.DateTimeUtc })

/** What is remembered of an account from one poll to the next, beside its feeds. */
export const PollState = Schema.Struct({
  /** No call before: the network's limit, or its circuit. */
  wait: Schema.Option(BlockedStep),
  /** Steps that can't work as things are, and are not tried at each poll. */
  blocked: Schema.Array(BlockedStep),
  /** Of the last hour. */
  looks: Schema.Array(Look)
})
export type PollState = typeof PollState.Type

export const newPollState: PollState = { wait: Option.none(), blocked: [], looks: [] }

/** How far one feed was read. */
export const FeedState = Schema.Struct({
  source: Source,
  /** The network's id of the post or conversation. */
  feedId: Schema.String,
  /** What the network filters by, where it does. */
  checkpoint: Schema.Option(Schema.String),
  /** The newest item that was seen when it was last read whole. */
  newest: Schema.Option(Schema.DateTimeUtc),
  /** The feed's own word when it was last read whole. */
  updatedAt: Schema.Option(Schema.DateTimeUtc),
  /** When it was last opened, of a feed that says when it changed. */
  openedAt: Schema.Option(Schema.DateTimeUtc),
  /** When it was first read: what is older is for a backfill. */
  since: Schema.DateTimeUtc,
  /** A read that costs money and is not at its end: where it goes on, and the checkpoint that it will have earned. */
  pending: Schema.Option(Schema.Struct({ cursor: Schema.String, checkpoint: Schema.Option(Schema.String) }))
})
export type FeedState = typeof FeedState.Type

export const feedKey = ({ feedId, source }: { readonly source: Source; readonly feedId: string }): string =>
  `${source} ${feedId}`
