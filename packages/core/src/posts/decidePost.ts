import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { type KeptPost, Post } from "./Post.ts"
import {
  PostAlreadyPublishing,
  PostKeyConflict,
  PostNotEditable,
  TargetNotFound,
  TargetNotRetryable
} from "./PostErrors.ts"
import type { PostInput } from "./PostInput.ts"
import { CanceledTarget, type PostTarget, Waiting } from "./PostTarget.ts"
import { hasEnded, statusOfPost } from "./showPost.ts"
import type { PostDecision } from "./PostStore.ts"
import { rearmed, withState } from "./transitions.ts"

const keep: PostDecision = { _tag: "Keep" }
const changed = (kept: KeptPost): PostDecision => ({ _tag: "Change", kept })

const touched = (post: Post, now: DateTime.Utc): Post => new Post({ ...post, updatedAt: now })

/**
 * The post of a request: the earlier one of its key if the request is the same, also if it would be refused now, or a
 * new one. Pure.
 */
export const decideSubmit = <E>(
  existing: Option.Option<KeptPost>,
  { fresh, requestDigest }: { readonly fresh: Result.Result<KeptPost, E>; readonly requestDigest: string }
): Result.Result<KeptPost, E | PostKeyConflict> => {
  if (Option.isNone(existing)) return fresh
  const { post } = existing.value
  return post.requestDigest === requestDigest
    ? Result.succeed(existing.value)
    : Result.fail(new PostKeyConflict({ postId: post.id }))
}

/** A post as the request that would make it again, so that it can be judged. Pure. */
export const toInput = ({ post, targets }: KeptPost): PostInput => ({
  text: post.text,
  mediaIds: post.mediaIds,
  targets: targets.map(({ accountId, firstComment, mediaIds, options, text }) => ({
    accountId,
    firstComment,
    mediaIds,
    options,
    text
  })),
  scheduledAt: post.scheduledAt,
  isDraft: post.isDraft
})

/** Moves a scheduled post to another time. Pure. */
export const reschedule = (
  kept: KeptPost,
  at: DateTime.Utc,
  now: DateTime.Utc
): Result.Result<PostDecision, PostNotEditable> => {
  const { post, targets } = kept
  if (statusOfPost(kept) !== "scheduled") return Result.fail(new PostNotEditable({ postId: post.id }))
  return Result.succeed(
    changed({
      post: new Post({ ...touched(post, now), scheduledAt: Option.some(at) }),
      targets: targets.map((target) =>
        target.state._tag === "Waiting" ? withState(target, new Waiting({ startAt: Option.some(at) }), now) : target
      )
    })
  )
}

/** Takes back what has not begun. Pure. */
export const cancel = (kept: KeptPost, now: DateTime.Utc): Result.Result<PostDecision, PostAlreadyPublishing> => {
  const { post, targets } = kept
  if (statusOfPost(kept) === "canceled") return Result.succeed(keep)
  const isWaiting = ({ state }: PostTarget) => state._tag === "Waiting"
  if (!targets.some(isWaiting)) return Result.fail(new PostAlreadyPublishing({ postId: post.id }))
  return Result.succeed(
    changed({
      post: touched(post, now),
      targets: targets.map((target) =>
        isWaiting(target) ? withState(target, new CanceledTarget({ endedAt: now }), now) : target
      )
    })
  )
}

/** Begins a failed target again. Pure. */
export const retry = (
  kept: KeptPost,
  targetId: string,
  now: DateTime.Utc
): Result.Result<PostDecision, TargetNotFound | TargetNotRetryable> => {
  const target = kept.targets.find(({ id }) => id === targetId)
  if (target === undefined) return Result.fail(new TargetNotFound({ targetId }))
  if (target.state._tag !== "Failed" || !target.state.failure.retryable) {
    return Result.fail(new TargetNotRetryable({ targetId }))
  }
  return Result.succeed(
    changed({
      post: touched(kept.post, now),
      targets: kept.targets.map((one) => (one === target ? rearmed(target, now) : one))
    })
  )
}

/** Deletes a post here: a draft, or one of which nothing more happens by itself. Pure. */
export const remove = (kept: KeptPost): Result.Result<PostDecision, PostNotEditable> =>
  kept.post.isDraft || hasEnded(kept)
    ? Result.succeed({ _tag: "Delete" })
    : Result.fail(new PostNotEditable({ postId: kept.post.id }))
