import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Published } from "../networks/publishing/Publication.ts"
import type { PostTarget } from "../posts/PostTarget.ts"
import type { TargetClaim } from "../posts/PostStore.ts"
import { detailed, withComment } from "../posts/transitions.ts"
import type { PublishPorts } from "./publishPorts.ts"

const handBack = () => false

/** Asks the network what else it knows of a published post: its address, and other ids by which comments name it. */
const askDetails = Effect.fnUntraced(function* (ports: PublishPorts, claim: TargetClaim, target: PostTarget) {
  const { state } = target
  const publish = ports.publishOf(target)
  if (state._tag !== "Published") return
  if (Option.isNone(publish) || Option.isNone(state.detailsAt)) {
    return yield* ports.change(claim, (current) => current, handBack)
  }
  const ask = Effect.gen(function* () {
    const account = yield* ports.open(target)
    return yield* account.use((access) => publish.value.details(access, state.externalId))
  })
  const details = yield* Effect.interruptible(ask).pipe(
    Effect.timeoutOption(ports.limits.call),
    Effect.tapError((error) => Effect.logDebug("a post's address is not known yet", error)),
    Effect.orElseSucceed(() => Option.none<Published>())
  )
  yield* ports.change(claim, (current, now) => detailed(current, details, now), handBack)
})

/** Writes the first comment: a reply to the account's own post, stored as being sent before it is, and sent once. */
const comment = Effect.fnUntraced(function* (ports: PublishPorts, claim: TargetClaim, target: PostTarget) {
  const { state } = target
  const text = target.firstComment
  const source = Option.flatMap(ports.publishOf(target), (publish) => publish.commentSource)
  if (state._tag !== "Published" || Option.isNone(text) || Option.isNone(source)) {
    return yield* ports.change(claim, (current, now) => withComment(current, "failed", now), handBack)
  }
  const postId = state.postIds[0] ?? state.externalId
  const reply = {
    source: source.value,
    target: { externalId: postId, replyTargetId: postId, threadKey: postId, linkedPostId: Option.some(postId) },
    text: text.value,
    operationId: target.id
  }
  const connector = ports.connectorFor(target)
  const write = Effect.gen(function* () {
    const account = yield* ports.open(target)
    const preparation = yield* account.use((access) => connector.prepareReply(access, reply))
    yield* ports.change(
      claim,
      (current, now) => withComment(current, "sending", now),
      () => true
    )
    return yield* account.use((access) => connector.sendReply(access, reply, preparation))
  })
  const isDone = yield* Effect.interruptible(write).pipe(
    Effect.timeout(ports.limits.call),
    Effect.as(true),
    Effect.catchCause((cause) => Effect.as(Effect.logInfo("a first comment was not written", cause), false))
  )
  yield* ports.change(claim, (current, now) => withComment(current, isDone ? "done" : "failed", now), handBack)
})

/** What is left to do for a published post. */
export const followPublished = (ports: PublishPorts, claim: TargetClaim, target: PostTarget) =>
  target.state._tag === "Published" && target.state.comment === "waiting"
    ? comment(ports, claim, target)
    : askDetails(ports, claim, target)
