import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
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

/**
 * Whether a managed user's post may still do anything on an account: it may be another user's since the post was accepted
 * (design §3, api-2-decided A4 and B27). Pure.
 */
export const mayUse = ({ externalUserId }: Post, account: SocialAccount): boolean =>
  Option.isNone(externalUserId) || Option.contains(account.externalUserId, externalUserId.value)

/** A post with its targets, in the order in which they were given. */
export interface KeptPost {
  readonly post: Post
  readonly targets: ReadonlyArray<PostTarget>
}

/** Whether a change makes a post a managed user's whose it was not. */
export const isGiven = (
  before: Pick<Post, "externalUserId">,
  { externalUserId }: Pick<Post, "externalUserId">
): boolean => Option.exists(externalUserId, (user) => !Option.contains(before.externalUserId, user))
