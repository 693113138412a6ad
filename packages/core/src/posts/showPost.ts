import * as DateTime from "effect/DateTime"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import type { InboxEvent } from "../items/InboxEvent.ts"
import type { PostStatus, ShownPost, ShownTarget, TargetFailure } from "../items/ShownPost.ts"
import type { MediaId } from "../kernel/Ids.ts"
import type { PublishWarning } from "../networks/publishing/PublishRules.ts"
import { type KeptPost, Post } from "./Post.ts"
import { openStatuses, type PostTarget, statusOf, type TargetState } from "./PostTarget.ts"

/** When the target was published, if it was. */
const publishedAtOf = (state: TargetState): Option.Option<DateTime.Utc> => {
  if (state._tag === "Published") return Option.some(state.endedAt)
  return state._tag === "Deleted" ? Option.some(state.publishedAt) : Option.none()
}

/** Whether a target that is left waits for the time of its post, not for a worker: one that is retried goes out now. */
const isScheduled = ({ post, targets }: KeptPost): boolean =>
  Option.isSome(post.scheduledAt) &&
  targets.every(
    ({ state }) =>
      state._tag === "Canceled" || (state._tag === "Waiting" && Equal.equals(state.startAt, post.scheduledAt))
  )

/** The status of a post by its targets (api-2-decided A11). Pure. */
export const statusOfPost = (kept: KeptPost): PostStatus => {
  const { post, targets } = kept
  if (post.isDraft) return targets.every(({ state }) => state._tag === "Canceled") ? "canceled" : "draft"
  const isOpen = targets.some((target) => openStatuses.some((status) => status === statusOf(target)))
  if (isOpen) return isScheduled(kept) ? "scheduled" : "publishing"
  const published = targets.filter(({ state }) => Option.isSome(publishedAtOf(state))).length
  if (published > 0) return published === targets.length ? "published" : "partial"
  return targets.every(({ state }) => state._tag === "Canceled") ? "canceled" : "failed"
}

/** Whether nothing more happens to the post by itself. */
export const hasEnded = (kept: KeptPost): boolean => {
  const status = statusOfPost(kept)
  return status !== "draft" && status !== "scheduled" && status !== "publishing"
}

const failureOf = (state: TargetState): Option.Option<TargetFailure> => {
  switch (state._tag) {
    case "Failed":
    case "Delayed":
      return Option.some(state.failure)
    case "Preparing":
      return state.failure
    default:
      return Option.none()
  }
}

const showTarget = (target: PostTarget): ShownTarget => {
  const { accountId, attempts, firstComment, id, mediaIds, network, options, state, text } = target
  return {
    id,
    accountId,
    network,
    status: statusOf(target),
    text,
    mediaIds,
    firstComment,
    options,
    externalId: "externalId" in state ? Option.some(state.externalId) : Option.none(),
    url: state._tag === "Published" ? state.url : Option.none(),
    attempts,
    failure: failureOf(state),
    publishedAt: publishedAtOf(state)
  }
}

const commentWarnings: Readonly<Record<"failed" | "lost", Omit<PublishWarning, "path">>> = {
  failed: {
    code: "first_comment_failed",
    message: "The post is published, but its first comment was not written."
  },
  lost: {
    code: "first_comment_unknown",
    message:
      "The post is published, but it stayed unknown whether its first comment is. Look there; it is not sent again."
  }
}

/** While an uncertain comment is looked for nothing is said. */
const commentWarning = ({ state }: PostTarget, i: number): ShownPost["warnings"] =>
  state._tag === "Published" && (state.comment === "failed" || state.comment === "lost")
    ? [{ path: `targets[${i}].first_comment`, ...commentWarnings[state.comment] }]
    : []

/** A post as its customer sees it. Pure. */
export const showPost = (kept: KeptPost): ShownPost => {
  const { post, targets } = kept
  const published = targets.flatMap(({ state }) => Option.toArray(publishedAtOf(state))).toSorted(DateTime.Order)
  return {
    id: post.id,
    workspaceId: post.workspaceId,
    status: statusOfPost(kept),
    text: post.text,
    mediaIds: post.mediaIds,
    scheduledAt: post.scheduledAt,
    publishedAt: Option.fromUndefinedOr(published[0]),
    warnings: [...post.warnings, ...targets.flatMap(commentWarning)],
    targets: targets.map(showTarget),
    createdAt: post.createdAt,
    updatedAt: post.updatedAt
  }
}

/** The events of a change; none if nothing that is shown of a target is different. Pure. */
export const eventsOf = (before: KeptPost, after: KeptPost): ReadonlyArray<InboxEvent> => {
  const [was, is] = [showPost(before), showPost(after)]
  const shown = { externalUserId: after.post.externalUserId, post: is }
  const events: Array<InboxEvent> = []
  const isSame = Equal.equals(was.targets, is.targets) && Equal.equals(was.warnings, is.warnings)
  if (!isSame) events.push({ _tag: "PostTargetUpdated", ...shown })
  if (was.status === is.status) return events
  if (is.status === "published") events.push({ _tag: "PostPublished", ...shown })
  if (is.status === "partial") events.push({ _tag: "PostPartial", ...shown })
  if (is.status === "failed") events.push({ _tag: "PostFailed", ...shown })
  return events
}

/** The post with a target in its new form; it is as new as its last visible change. Pure. */
export const replaceTarget = ({ post, targets }: KeptPost, target: PostTarget): KeptPost => {
  const before = targets.find(({ id }) => id === target.id)
  const isVisible = before === undefined || !Equal.equals(showTarget(before), showTarget(target))
  return {
    post: isVisible ? new Post({ ...post, updatedAt: DateTime.max(post.updatedAt, target.updatedAt) }) : post,
    targets: targets.map((one) => (one.id === target.id ? target : one))
  }
}

/** When the last target reached its final state; absent while anything may still happen by itself. */
export const endOf = (kept: KeptPost): Option.Option<DateTime.Utc> => {
  if (!hasEnded(kept)) return Option.none()
  const ends = kept.targets.flatMap(({ state }) => ("endedAt" in state ? [state.endedAt] : []))
  return Option.some(ends.reduce(DateTime.max, kept.post.createdAt))
}

/** All files that a post and its targets name. */
export const filesOf = ({ post, targets }: KeptPost): ReadonlySet<MediaId> =>
  new Set([...post.mediaIds, ...targets.flatMap(({ mediaIds }) => Option.getOrElse(mediaIds, () => []))])
