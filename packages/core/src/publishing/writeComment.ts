import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Posted } from "../networks/InboundActivity.ts"
import type { Reply, ReplyLook } from "../networks/Reply.ts"
import { isSameText } from "../networks/networkText.ts"
import { candidateOf, clockMargin } from "../outbound/matchReply.ts"
import { commentEnded, commentLooked, commentSending, commentUncertain } from "../posts/firstComment.ts"
import type { PostTarget, PublishedTarget } from "../posts/PostTarget.ts"
import type { TargetClaim } from "../posts/PostStore.ts"
import type { PublishPorts } from "./publishPorts.ts"

const handBack = () => false
const hold = () => true

interface Comment {
  readonly state: PublishedTarget
  readonly reply: Reply
}

/** The first comment as a reply to the account's own post; none where the network has no such thing. */
const commentOf = (ports: PublishPorts, target: PostTarget): Option.Option<Comment> => {
  const { firstComment, id, state } = target
  const source = Option.flatMap(ports.publishOf(target), (publish) => publish.commentSource)
  if (state._tag !== "Published" || Option.isNone(firstComment) || Option.isNone(source)) return Option.none()
  const postId = state.postIds[0] ?? state.externalId
  const place = { externalId: postId, replyTargetId: postId, threadKey: postId, linkedPostId: Option.some(postId) }
  const reply = { source: source.value, target: place, text: firstComment.value, operationId: id }
  return Option.some({ state, reply })
}

/** Calls the network; every failure and every silence is the same unless `isKnown` says otherwise. */
const send = (
  ports: PublishPorts,
  claim: TargetClaim,
  target: PostTarget,
  reply: Reply,
  preparation: Option.Option<string>
) =>
  Effect.interruptible(
    Effect.gen(function* () {
      const account = yield* ports.open(claim)
      yield* account.use((access) => ports.connectorFor(target).sendReply(access, reply, preparation))
    })
  ).pipe(
    Effect.timeout(ports.limits.call),
    Effect.as("done" as const),
    Effect.tapCause((cause) => Effect.logInfo("a first comment was not answered for", cause)),
    Effect.catchTags({
      OutcomeUnknown: () => Effect.succeed("unknown" as const),
      TimeoutError: () => Effect.succeed("unknown" as const)
    }),
    // Every other error proves that nothing was written; a defect or an interruption proves nothing.
    Effect.catch(() => Effect.succeed("failed" as const)),
    Effect.catchCause(() => Effect.succeed("unknown" as const))
  )

/** Writes the first comment: stored as being sent before it is, and sent once. */
export const writeComment = Effect.fnUntraced(function* (ports: PublishPorts, claim: TargetClaim, target: PostTarget) {
  const comment = commentOf(ports, target)
  const fail = ports.change(claim, (current, now) => commentEnded(current, "failed", now), handBack)
  if (Option.isNone(comment)) return yield* fail
  const { reply } = comment.value
  const prepare = Effect.gen(function* () {
    const account = yield* ports.openOwn(claim)
    return yield* account.use((access) => ports.connectorFor(target).prepareReply(access, reply))
  })
  const prepared = yield* Effect.interruptible(prepare).pipe(
    Effect.timeout(ports.limits.call),
    Effect.map(Option.some),
    Effect.catchCause((cause) => {
      // Nothing was sent: once the lease ends and the store is back, it is tried again.
      const away = Cause.findErrorOption(cause).pipe(Option.filter((error) => error._tag === "StoreUnavailable"))
      if (Option.isSome(away)) return Effect.fail(away.value)
      return Effect.as(Effect.logInfo("a first comment was not prepared", cause), Option.none())
    })
  )
  if (Option.isNone(prepared)) return yield* fail
  const preparation = prepared.value
  yield* ports.change(claim, (current, now) => commentSending(current, preparation, now), hold)
  const outcome = yield* send(ports, claim, target, reply, preparation)
  yield* ports.change(
    claim,
    (current, now) => (outcome === "unknown" ? commentUncertain(current, now) : commentEnded(current, outcome, now)),
    handBack
  )
})

/** Whether the network shows the comment: the account's own, below the post, with its words, and not from before. */
const isShown = (ports: PublishPorts, { reply, state }: Comment, sentAt: DateTime.Utc, posted: Posted): boolean => {
  const { body, parentExternalId, receivedAt } = candidateOf(posted)
  const ids = [state.externalId, ...state.postIds]
  return (
    Option.match(parentExternalId, { onNone: () => true, onSome: (parent) => ids.includes(parent) }) &&
    DateTime.isGreaterThanOrEqualTo(receivedAt, DateTime.subtract(sentAt, clockMargin)) &&
    isSameText(ports.traitsOf(reply.source), body, reply.text)
  )
}

/** Looks for a first comment of unknown outcome, by the rules of replies (design §6). */
export const lookForComment = Effect.fnUntraced(function* (
  ports: PublishPorts,
  claim: TargetClaim,
  target: PostTarget
) {
  const found = commentOf(ports, target)
  const looked = ports.change(claim, commentLooked, handBack)
  if (Option.isNone(found) || Option.isNone(found.value.state.commentedAt)) return yield* looked
  const { reply, state } = found.value
  const attemptedAt = found.value.state.commentedAt.value
  const preparation = state.commentPreparation
  const ask = Effect.gen(function* () {
    const account = yield* ports.open(claim)
    const uncertain = { reply, preparation, attemptedAt }
    return yield* account.use((access) => ports.connectorFor(target).findReply(access, uncertain))
  })
  const look = yield* Effect.interruptible(ask).pipe(
    Effect.timeout(ports.limits.call),
    Effect.map(Option.some),
    Effect.catchCause((cause) =>
      Effect.as(Effect.logDebug("a first comment could not be looked for", cause), Option.none<ReplyLook>())
    )
  )
  if (Option.isNone(look)) return yield* looked
  switch (look.value._tag) {
    case "Candidates": {
      const isThere = look.value.posted.some((posted) => isShown(ports, found.value, attemptedAt, posted))
      return yield* isThere
        ? ports.change(claim, (current, now) => commentEnded(current, "done", now), handBack)
        : looked
    }
    case "Failed":
      return yield* ports.change(claim, (current, now) => commentEnded(current, "failed", now), handBack)
    case "NotPublished": {
      // The network publishes one preparation at most once, so it can't be there twice.
      const again = Option.isSome(preparation) ? yield* send(ports, claim, target, reply, preparation) : "unknown"
      return yield* again === "done"
        ? ports.change(claim, (current, now) => commentEnded(current, "done", now), handBack)
        : looked
    }
  }
})
