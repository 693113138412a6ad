import * as Schema from "effect/Schema"
import { Network } from "@loopbox/core/networks/Source"
import { AccountSync, BackfillInput, FeedState, PollState } from "@loopbox/core/sync/SyncRun"
import { BackfillProgress } from "@loopbox/core/sync/PollStore"
import { SocialAccountId, SyncId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { Instant, optional } from "../../rows/rows.ts"

/** Codecs of the JSON columns. */
export const StoredPollState = Schema.toCodecJson(PollState)
export const StoredFeedState = Schema.toCodecJson(FeedState)
export const StoredResult = Schema.toCodecJson(AccountSync)
export const StoredInput = Schema.toCodecJson(BackfillInput)
export const StoredProgress = Schema.toCodecJson(BackfillProgress)

export const DueRow = Schema.Struct({ workspace_id: WorkspaceId, account_id: SocialAccountId })

export const ClaimRow = Schema.Struct({
  workspace_id: WorkspaceId,
  account_id: SocialAccountId,
  network: Network,
  state: optional(StoredPollState),
  alive_at: optional(Instant),
  is_due: Schema.Boolean
})

export const PollRow = Schema.Struct({
  state: optional(StoredPollState),
  due_at: optional(Instant)
})

export const HintRow = Schema.Struct({
  state: optional(StoredPollState),
  hint_due_at: optional(Instant),
  hint_taken_at: optional(Instant)
})

export const RunRow = Schema.Struct({
  workspace_id: WorkspaceId,
  id: SyncId,
  external_user_id: optional(Schema.String),
  backfill: optional(StoredInput),
  created_at: Instant,
  accounts: Schema.Int,
  pending: Schema.Int,
  results: Schema.Array(StoredResult)
})

export const WorkRow = Schema.Struct({
  read: Schema.Int,
  new_items: Schema.Int,
  is_asked: Schema.Boolean,
  backfills: Schema.Array(
    Schema.Struct({
      run_id: SyncId,
      backfill: StoredInput,
      created_at: Schema.DateTimeUtcFromString,
      progress: StoredProgress
    })
  ),
  feeds: Schema.Array(StoredFeedState)
})

export const ConfirmationRow = Schema.Struct({
  workspace_id: WorkspaceId,
  token: Schema.String,
  external_user_id: optional(Schema.String),
  input: StoredInput,
  expires_at: Instant,
  used_by: optional(SyncId)
})
