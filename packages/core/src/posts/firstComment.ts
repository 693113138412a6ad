import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import { nextLook } from "../outbound/nextLook.ts"
import { PostTarget, PublishedTarget } from "./PostTarget.ts"

/** How long an uncertain first comment is looked for, as a reply is. */
const lookWithin = Duration.seconds(29.5 * 60)

const changed = (target: PostTarget, change: Partial<PublishedTarget>, now: DateTime.Utc): PostTarget =>
  target.state._tag === "Published"
    ? new PostTarget({ ...target, state: new PublishedTarget({ ...target.state, ...change }), updatedAt: now })
    : target

/** When a worker has something to do for the first comment, if ever. */
export const commentDueAt = (state: PublishedTarget): Option.Option<DateTime.Utc> => {
  switch (state.comment) {
    case "waiting":
      // While the address isn't known the network may still be working on the post, and refuse a comment to it.
      return Option.some(Option.getOrElse(state.detailsAt, () => state.endedAt))
    case "sending":
      return Option.some(state.endedAt)
    case "unknown":
      return Option.map(state.commentedAt, (at) => lookAt(state, at))
    default:
      return Option.none()
  }
}

const lookAt = ({ commentLookedAt }: PublishedTarget, at: DateTime.Utc): DateTime.Utc =>
  nextLook(
    at,
    Option.getOrElse(commentLookedAt, () => at),
    DateTime.addDuration(at, lookWithin)
  )

/** It is sent now: stored before the call, with what was prepared. */
export const commentSending = (
  target: PostTarget,
  commentPreparation: Option.Option<string>,
  now: DateTime.Utc
): PostTarget => changed(target, { comment: "sending", commentPreparation, commentedAt: Option.some(now) }, now)

/** Whether it is written is known. */
export const commentEnded = (target: PostTarget, comment: "done" | "failed", now: DateTime.Utc): PostTarget =>
  changed(target, { comment }, now)

/** It was sent, and may be written. */
export const commentUncertain = (target: PostTarget, now: DateTime.Utc): PostTarget => {
  const { state } = target
  if (state._tag !== "Published" || state.comment !== "sending") return target
  return changed(target, { comment: Option.isSome(state.commentedAt) ? "unknown" : "lost" }, now)
}

/** A look showed nothing of it; the next one, or the deadline, decides. */
export const commentLooked = (target: PostTarget, now: DateTime.Utc): PostTarget => {
  const { state } = target
  if (state._tag !== "Published" || state.comment !== "unknown" || Option.isNone(state.commentedAt)) return target
  const isOver = DateTime.isLessThanOrEqualTo(DateTime.addDuration(state.commentedAt.value, lookWithin), now)
  if (isOver) return changed(target, { comment: "lost" }, now)
  return new PostTarget({ ...target, state: new PublishedTarget({ ...state, commentLookedAt: Option.some(now) }) })
}
