import * as Schema from "effect/Schema"
import { MediaId, PostId, PostTargetId, SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import { PublishFailureCode } from "../networks/publishing/PublishErrors.ts"
import { Network } from "../networks/Source.ts"

/** `partial`: some targets are published, and none of the others will be by itself. */
export const PostStatus = Schema.Literals([
  "draft",
  "scheduled",
  "publishing",
  "published",
  "partial",
  "failed",
  "canceled"
])
export type PostStatus = typeof PostStatus.Type

/**
 * - `preparing`: files are on their way to the network, or its quota is waited for
 * - `outcome_unknown`: it may have been published; it is looked for
 * - `needs_reconciliation`: it stayed unknown; a person must look
 * - `deleted`: it was published, and deleted on the network later
 */
export const TargetStatus = Schema.Literals([
  "pending",
  "preparing",
  "publishing",
  "published",
  "failed",
  "outcome_unknown",
  "needs_reconciliation",
  "canceled",
  "deleted"
])
export type TargetStatus = typeof TargetStatus.Type

/** Why a target was not published, or is not yet. */
export const TargetFailure = Schema.Struct({
  code: PublishFailureCode,
  message: Schema.String,
  /** Nothing was published, and publishing it again may work. */
  retryable: Schema.Boolean,
  /** The network's own code. */
  networkCode: Schema.Option(Schema.String),
  /** When it is tried again by itself, or may be tried again. */
  retryAt: Schema.Option(Schema.DateTimeUtc)
})
export type TargetFailure = typeof TargetFailure.Type

/** Options of one target, by the network's names. */
export const TargetOptions = Schema.Struct({
  values: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Boolean])),
  /** By media id. */
  altTexts: Schema.Record(Schema.String, Schema.String)
})
export type TargetOptions = typeof TargetOptions.Type

/** Something about a post that is accepted all the same. */
export const PostWarning = Schema.Struct({
  /** `targets[0]`, `targets[1].text`. */
  path: Schema.String,
  code: Schema.String,
  message: Schema.String
})
export type PostWarning = typeof PostWarning.Type

/** What a post becomes on one account, as its customer sees it. */
export const ShownTarget = Schema.Struct({
  id: PostTargetId,
  accountId: SocialAccountId,
  /** Absent if the account of a draft is not known. */
  network: Schema.Option(Network),
  status: TargetStatus,
  /** `none`: that of the post. */
  text: Schema.Option(Schema.String),
  /** `none`: those of the post. */
  mediaIds: Schema.Option(Schema.Array(MediaId)),
  firstComment: Schema.Option(Schema.String),
  options: TargetOptions,
  /** The network's id of the post; kept when it is deleted there. */
  externalId: Schema.Option(Schema.String),
  url: Schema.Option(Schema.String),
  /** How often a publishing was begun. */
  attempts: Schema.Int,
  failure: Schema.Option(TargetFailure),
  publishedAt: Schema.Option(Schema.DateTimeUtc)
})
export type ShownTarget = typeof ShownTarget.Type

/** A post as its customer sees it (api-2.md §12). */
export const ShownPost = Schema.Struct({
  id: PostId,
  workspaceId: WorkspaceId,
  status: PostStatus,
  text: Schema.Option(Schema.String),
  mediaIds: Schema.Array(MediaId),
  scheduledAt: Schema.Option(Schema.DateTimeUtc),
  /** When the first target was published. */
  publishedAt: Schema.Option(Schema.DateTimeUtc),
  warnings: Schema.Array(PostWarning),
  targets: Schema.Array(ShownTarget),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
})
export type ShownPost = typeof ShownPost.Type
