import * as Schema from "effect/Schema"
import { PostWarning } from "../items/ShownPost.ts"
import { PostId } from "../kernel/Ids.ts"

/** What keeps a post from being accepted. */
export const PostIssue = Schema.Struct({
  /** `targets[0].media_ids[1]`, `scheduled_at`. */
  path: Schema.String,
  code: Schema.String,
  message: Schema.String,
  /** What the post has; absent if there is nothing to compare. */
  actual: Schema.Option(Schema.Union([Schema.String, Schema.Number])),
  /** What the network allows. */
  limit: Schema.Option(Schema.Union([Schema.String, Schema.Number]))
})
export type PostIssue = typeof PostIssue.Type

/** The post can't go out as it is. All issues at once; nothing was stored or changed. */
export class PostInvalid extends Schema.TaggedError<PostInvalid>()("PostInvalid", {
  issues: Schema.Array(PostIssue),
  warnings: Schema.Array(PostWarning)
}) {}

/** The key was used for another request. */
export class PostKeyConflict extends Schema.TaggedError<PostKeyConflict>()("PostKeyConflict", { postId: PostId }) {}

/** No such post in the caller's scope. */
export class PostNotFound extends Schema.TaggedError<PostNotFound>()("PostNotFound", { postId: Schema.String }) {}

/** The post has no such target. */
export class TargetNotFound extends Schema.TaggedError<TargetNotFound>()("TargetNotFound", {
  targetId: Schema.String
}) {}

/** Its status does not allow the change: only a draft is edited, and only the time of a scheduled post. */
export class PostNotEditable extends Schema.TaggedError<PostNotEditable>()("PostNotEditable", { postId: PostId }) {}

/** Every target has begun. */
export class PostAlreadyPublishing extends Schema.TaggedError<PostAlreadyPublishing>()("PostAlreadyPublishing", {
  postId: PostId
}) {}

/** The target did not fail, or publishing it again would fail again. */
export class TargetNotRetryable extends Schema.TaggedError<TargetNotRetryable>()("TargetNotRetryable", {
  targetId: Schema.String
}) {}

/** The target is not on the network, or the network has no call that deletes it. */
export class TargetNotRemovable extends Schema.TaggedError<TargetNotRemovable>()("TargetNotRemovable", {
  targetId: Schema.String,
  reason: Schema.Literals(["not_published", "not_supported", "missing_scopes"])
}) {}

/** The managed user whose post it would be was erased since the scope was found. Nothing was stored. */
export class PostOwnerGone extends Schema.TaggedError<PostOwnerGone>()("PostOwnerGone", {}) {}

/** An account or a file of the post, or the managed user whose it would become, was erased since it was judged. Nothing was stored. */
export class PostFactsChanged extends Schema.TaggedError<PostFactsChanged>()("PostFactsChanged", {}) {}
