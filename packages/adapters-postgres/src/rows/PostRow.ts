import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type KeptPost, Post } from "@loopbox/core/posts/Post"
import { PostTarget, statusOf } from "@loopbox/core/posts/PostTarget"
import { publishedIds } from "@loopbox/core/posts/publishedIds"
import { endOf, filesOf, statusOfPost } from "@loopbox/core/posts/showPost"
import { dueAt, isBeginning, isBusy } from "@loopbox/core/posts/transitions"
import { at } from "./rows.ts"
import { storableOrNull, toJson } from "./text.ts"

const StoredPost = Schema.toCodecJson(Post)
const StoredTarget = Schema.toCodecJson(PostTarget)

export const PostRow = Schema.Struct({ post: StoredPost })
export const TargetRow = Schema.Struct({ target: StoredTarget })
/** A target in a list of several posts, read or not. */
export const ListedTargetRow = Schema.Struct({ post_id: Schema.String, target: Schema.Unknown })
export const ClaimedRow = Schema.Struct({ post: StoredPost, target: StoredTarget })

const encodePost = Schema.encodeEffect(StoredPost)
const encodeTarget = Schema.encodeEffect(StoredTarget)

const endedAt = (kept: KeptPost) => Option.getOrNull(Option.map(endOf(kept), at))

/** What of a post's row changes: the document, and what it is found by. */
export const toPostColumns = Effect.fnUntraced(function* (kept: KeptPost) {
  const { post } = kept
  return {
    external_user_id: storableOrNull(post.externalUserId),
    status: statusOfPost(kept),
    media_ids: toJson(Array.from(filesOf(kept))),
    post: toJson(yield* encodePost(post)),
    ended_at: endedAt(kept)
  }
})

/** What of a target's row changes. Its row goes with that of its post. */
export const toTargetColumns = Effect.fnUntraced(function* (kept: KeptPost, target: PostTarget) {
  const { network } = target
  return {
    network: Option.getOrNull(network),
    status: statusOf(target),
    target: toJson(yield* encodeTarget(target)),
    post_ids: "externalId" in target.state ? toJson(publishedIds(target)) : null,
    due_at: Option.getOrNull(Option.map(dueAt(target), at)),
    is_beginning: isBeginning(target),
    is_busy: isBusy(target),
    ended_at: endedAt(kept)
  }
})
