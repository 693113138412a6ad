import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { TargetFailure, TargetOptions, type TargetStatus } from "../items/ShownPost.ts"
import { MediaId, PostId, PostTargetId, SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import { Network } from "../networks/Source.ts"

/** Not begun. */
export class Waiting extends Schema.TaggedClass<Waiting>()("Waiting", {
  /** When it is to be published; absent for a draft. */
  startAt: Schema.Option(Schema.DateTimeUtc)
}) {}

/** What is prepared at the network, and how that went so far. */
const progress = {
  /** When a worker began it. */
  begunAt: Schema.DateTimeUtc,
  /** When it began, or went on after a delay: what is prepared must be ready within a time. */
  since: Schema.DateTimeUtc,
  /** The connector's own; absent before its first step, and when it begins anew. */
  preparation: Schema.Option(Schema.Json),
  /** How often it began anew because what was prepared failed. */
  renewals: Schema.Int,
  /** How often the network said that it does not publish this preparation yet. */
  notYets: Schema.Int,
  /** Calls in a row to which the network gave no usable answer. */
  misses: Schema.Int
}

/** Begun; the network's quota or rate limit is used up, and it is asked again. Others of the account may begin. */
export class Delayed extends Schema.TaggedClass<Delayed>()("Delayed", {
  ...progress,
  retryAt: Schema.DateTimeUtc,
  failure: TargetFailure
}) {}

/** Its files are brought to the network, step by step; nothing can be seen there. */
export class Preparing extends Schema.TaggedClass<Preparing>()("Preparing", {
  ...progress,
  /** The quota allowed it, so that it is not asked for again. */
  isAdmitted: Schema.Boolean,
  /** When the next step is due. */
  nextAt: Schema.DateTimeUtc,
  /** Why the last step is to be repeated. */
  failure: Schema.Option(TargetFailure)
}) {}

const attempt = {
  ...progress,
  preparation: Schema.Json,
  /** When the first publishing call was made whose outcome is not known. */
  attemptedAt: Schema.DateTimeUtc,
  lastAttemptAt: Schema.DateTimeUtc
}

/** The publishing call is made. */
export class Publishing extends Schema.TaggedClass<Publishing>()("Publishing", attempt) {}

/** It may be published. It is looked for until the deadline, and never published again unless the network proves that it is not there. */
export class OutcomeUnknown extends Schema.TaggedClass<OutcomeUnknown>()("OutcomeUnknown", {
  ...attempt,
  lookedAt: Schema.Option(Schema.DateTimeUtc)
}) {}

/**
 * The first comment under a published post, which is a write like a reply: sent at most once.
 *
 * `waiting` → `sending` → `done`, `failed` (not written) or `unknown`, which is looked for like a reply: → `done`, `failed`,
 * or `lost` where it stays unknown.
 */
export const CommentState = Schema.Literals(["none", "waiting", "sending", "unknown", "done", "failed", "lost"])
export type CommentState = typeof CommentState.Type

export class PublishedTarget extends Schema.TaggedClass<PublishedTarget>()("Published", {
  endedAt: Schema.DateTimeUtc,
  externalId: Schema.String,
  url: Schema.Option(Schema.String),
  /** All ids by which comments name the post. */
  postIds: Schema.Array(Schema.String),
  comment: CommentState,
  /** What was prepared of the comment, if its network prepares any. */
  commentPreparation: Schema.Option(Schema.String).pipe(Schema.withDecodingDefaultTypeKey(Effect.succeedNone)),
  /** When it was sent. */
  commentedAt: Schema.Option(Schema.DateTimeUtc).pipe(Schema.withDecodingDefaultTypeKey(Effect.succeedNone)),
  /** When it was looked for last. */
  commentLookedAt: Schema.Option(Schema.DateTimeUtc).pipe(Schema.withDecodingDefaultTypeKey(Effect.succeedNone)),
  /** When the network is asked what else it knows of the post: its address, other ids. */
  detailsAt: Schema.Option(Schema.DateTimeUtc),
  /** How often it was asked for that. */
  detailsAsked: Schema.Int
}) {}

/** Known as not published. */
export class FailedTarget extends Schema.TaggedClass<FailedTarget>()("Failed", {
  endedAt: Schema.DateTimeUtc,
  failure: TargetFailure
}) {}

export class CanceledTarget extends Schema.TaggedClass<CanceledTarget>()("Canceled", {
  endedAt: Schema.DateTimeUtc
}) {}

/** It stayed unknown whether it was published: a person must look. */
export class NeedsReconciliation extends Schema.TaggedClass<NeedsReconciliation>()("NeedsReconciliation", {
  attemptedAt: Schema.DateTimeUtc,
  endedAt: Schema.DateTimeUtc
}) {}

/** It was published, and deleted on the network. */
export class DeletedTarget extends Schema.TaggedClass<DeletedTarget>()("Deleted", {
  endedAt: Schema.DateTimeUtc,
  publishedAt: Schema.DateTimeUtc,
  externalId: Schema.String,
  postIds: Schema.Array(Schema.String)
}) {}

export const TargetState = Schema.Union([
  Waiting,
  Delayed,
  Preparing,
  Publishing,
  OutcomeUnknown,
  PublishedTarget,
  FailedTarget,
  CanceledTarget,
  NeedsReconciliation,
  DeletedTarget
])
export type TargetState = typeof TargetState.Type

/** A post on one account: a durable operation with the rules of design §6. */
export class PostTarget extends Schema.Class<PostTarget>("@loopbox/core/posts/PostTarget")({
  id: PostTargetId,
  postId: PostId,
  workspaceId: WorkspaceId,
  accountId: SocialAccountId,
  /** Absent while the account of a draft is not known. */
  network: Schema.Option(Network),
  /** `none`: that of the post. */
  text: Schema.Option(Schema.String),
  /** `none`: those of the post. */
  mediaIds: Schema.Option(Schema.Array(MediaId)),
  firstComment: Schema.Option(Schema.String),
  options: TargetOptions,
  /** How many publishings were begun. */
  attempts: Schema.Int,
  state: TargetState,
  updatedAt: Schema.DateTimeUtc
}) {}

const statusOfTag: Record<TargetState["_tag"], TargetStatus> = {
  Waiting: "pending",
  Delayed: "preparing",
  Preparing: "preparing",
  Publishing: "publishing",
  OutcomeUnknown: "outcome_unknown",
  Published: "published",
  Failed: "failed",
  Canceled: "canceled",
  NeedsReconciliation: "needs_reconciliation",
  Deleted: "deleted"
}

export const statusOf = ({ state }: Pick<PostTarget, "state">): TargetStatus => statusOfTag[state._tag]

/** Statuses of targets that are not final. */
export const openStatuses = ["pending", "preparing", "publishing", "outcome_unknown"] as const
