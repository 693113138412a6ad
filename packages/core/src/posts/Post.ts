import * as Schema from "effect/Schema"
import { IdempotencyKey } from "../kernel/IdempotencyKey.ts"
import { MediaId, PostId, WorkspaceId } from "../kernel/Ids.ts"
import { PostWarning } from "../items/ShownPost.ts"
import type { PostTarget } from "./PostTarget.ts"

/** One post, which its targets bring to accounts (api-2.md §12). */
export class Post extends Schema.Class<Post>("@loopbox/core/posts/Post")({
  id: PostId,
  workspaceId: WorkspaceId,
  /** The managed user whose post it is: who made it, or who owns all of its accounts. */
  externalUserId: Schema.Option(Schema.String),
  text: Schema.Option(Schema.String),
  mediaIds: Schema.Array(MediaId),
  scheduledAt: Schema.Option(Schema.DateTimeUtc),
  /** It goes out only when it is published. */
  isDraft: Schema.Boolean,
  idempotencyKey: Schema.Option(IdempotencyKey),
  /** Of the request that made it, so that the same key with another request is recognised. */
  requestDigest: Schema.String,
  /** It was accepted as a draft or for later; a replay of its key answers as the first request. */
  isDeferred: Schema.Boolean,
  warnings: Schema.Array(PostWarning),
  /** Increases with each edit. */
  version: Schema.Int,
  createdAt: Schema.DateTimeUtc,
  /** Time of the last visible change of the post or of a target. */
  updatedAt: Schema.DateTimeUtc
}) {}

/** A post with its targets, in the order in which they were given. */
export interface KeptPost {
  readonly post: Post
  readonly targets: ReadonlyArray<PostTarget>
}
