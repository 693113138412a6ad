import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import type { PublicationLook, PublicationRival } from "../networks/publishing/NetworkPublish.ts"
import { comparableText } from "../networks/publishing/onlyMatch.ts"
import { textOf } from "../posts/PostInput.ts"
import type { PostTarget } from "../posts/PostTarget.ts"
import type { TargetClaim } from "../posts/PostStore.ts"
import { cameToNothing, looked, published, republished } from "../posts/transitions.ts"
import { attempt, openWork } from "./publishTarget.ts"
import * as publishMetrics from "./publishMetrics.ts"
import type { PublishPorts } from "./publishPorts.ts"
import { rivalsOf } from "./rivalsOf.ts"

const handBack = () => false

/**
 * What was found is this target's only if no other of the account has it by now, and none with the same text began while
 * the network was asked: that one's post may be what was found.
 */
const unlessTaken = Effect.fnUntraced(function* (
  ports: PublishPorts,
  claim: TargetClaim,
  before: ReadonlyArray<PublicationRival>,
  found: PublicationLook & { readonly _tag: "Found" }
) {
  const { knownIds, uncertain } = yield* ports.store.findRivals(claim.target)
  const text = comparableText(textOf(claim.post, claim.target))
  const isNew = (rival: PublicationRival) =>
    comparableText(rival.text) === text && !before.some(({ operationId }) => operationId === rival.operationId)
  const isTaken = knownIds.has(found.published.externalId) || rivalsOf(claim, uncertain).some(isNew)
  const look: PublicationLook = isTaken ? { _tag: "Nothing" } : found
  return look
})

/** Looks at the network for a publication with an unknown outcome, and settles what that shows. */
export const lookForTarget = Effect.fnUntraced(function* (ports: PublishPorts, claim: TargetClaim, target: PostTarget) {
  const { state } = target
  if (state._tag !== "OutcomeUnknown") return
  const { attemptedAt, lastAttemptAt, preparation } = state

  const ask = Effect.gen(function* () {
    const work = yield* openWork(ports, claim, target)
    const others = yield* ports.store.findRivals(target)
    const rivals = rivalsOf(claim, others.uncertain)
    const { publication } = work
    const uncertain = { publication, preparation, attemptedAt, lastAttemptAt, knownIds: others.knownIds, rivals }
    yield* Metric.update(Metric.withAttributes(publishMetrics.looks, { network: publishMetrics.networkOf(target) }), 1)
    const look = yield* work.account.use((access) => work.publish.find(access, uncertain))
    return { work, look: look._tag === "Found" ? yield* unlessTaken(ports, claim, rivals, look) : look }
  })
  const asked = yield* Effect.interruptible(ask).pipe(
    Effect.timeoutOption(ports.limits.call),
    Effect.tapError((error) => Effect.logDebug("a post could not be looked for", error)),
    Effect.catchDefect((defect) =>
      Effect.as(Effect.logError("a connector died while it looked", defect), Option.none())
    ),
    Effect.orElseSucceed(() => Option.none())
  )
  const look: PublicationLook = Option.match(asked, { onNone: () => ({ _tag: "Nothing" }), onSome: (one) => one.look })
  switch (look._tag) {
    case "Found":
      return yield* ports.change(claim, (current, now) => published(current, look.published, now), handBack)
    case "Void":
      return yield* ports.change(claim, cameToNothing, handBack)
    case "Nothing":
      return yield* ports.change(claim, looked, handBack)
    case "NotPublished": {
      // Stored before the call, as for the first one.
      const again = yield* ports.change(claim, republished, ({ state: { _tag } }) => _tag === "Publishing")
      if (Option.isSome(asked)) yield* attempt(ports, claim, again, asked.value.work)
      return
    }
  }
})
