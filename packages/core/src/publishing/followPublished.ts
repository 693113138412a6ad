import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Published } from "../networks/publishing/Publication.ts"
import type { PostTarget } from "../posts/PostTarget.ts"
import type { TargetClaim } from "../posts/PostStore.ts"
import { commentDueAt } from "../posts/firstComment.ts"
import { detailed } from "../posts/transitions.ts"
import { lookForComment, writeComment } from "./writeComment.ts"
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
    const account = yield* ports.open(claim)
    return yield* account.use((access) => publish.value.details(access, state.externalId))
  })
  const details = yield* Effect.interruptible(ask).pipe(
    Effect.timeoutOption(ports.limits.call),
    Effect.tapError((error) => Effect.logDebug("a post's address is not known yet", error)),
    Effect.orElseSucceed(() => Option.none<Published>())
  )
  yield* ports.change(claim, (current, now) => detailed(current, details, now), handBack)
})

/** What is left to do for a published post, of which something is due. */
export const followPublished = Effect.fnUntraced(function* (
  ports: PublishPorts,
  claim: TargetClaim,
  target: PostTarget
) {
  const { state } = target
  if (state._tag !== "Published") return
  const now = yield* DateTime.now
  const isDue = (at: Option.Option<DateTime.Utc>) =>
    Option.exists(at, (time) => DateTime.isLessThanOrEqualTo(time, now))
  if (isDue(commentDueAt(state))) {
    return yield* state.comment === "unknown"
      ? lookForComment(ports, claim, target)
      : writeComment(ports, claim, target)
  }
  if (isDue(state.detailsAt)) return yield* askDetails(ports, claim, target)
  // A crash has just become an unknown outcome: its first look comes later.
  yield* ports.change(claim, (current) => current, handBack)
})
