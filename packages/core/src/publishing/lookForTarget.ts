import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import type { PublicationLook } from "../networks/publishing/NetworkPublish.ts"
import type { Post } from "../posts/Post.ts"
import { textOf } from "../posts/PostInput.ts"
import type { PostTarget } from "../posts/PostTarget.ts"
import type { TargetClaim } from "../posts/PostStore.ts"
import { cameToNothing, looked, published, republished } from "../posts/transitions.ts"
import { attempt, openWork } from "./publishTarget.ts"
import * as publishMetrics from "./publishMetrics.ts"
import type { PublishPorts } from "./publishPorts.ts"

const handBack = () => false

/**
 * What was found is this target's only if no other of the account has it or may have published the same text. That is
 * read after the network was asked: whose post was there by then is known, or still uncertain.
 */
const withoutRivals = Effect.fnUntraced(function* (
  ports: PublishPorts,
  post: Post,
  target: PostTarget,
  found: PublicationLook & { readonly _tag: "Found" }
) {
  const { knownIds, uncertain } = yield* ports.store.findRivals(target)
  const text = comparable(textOf(post, target))
  const isOthers = knownIds.has(found.published.externalId)
  const isShared = uncertain.some((rival) => comparable(textOf(rival.post, rival.target)) === text)
  const look: PublicationLook = isOthers || isShared ? { _tag: "Nothing" } : found
  return look
})

/** Networks may return another Unicode form and other white space. */
const comparable = (text: string): string => text.normalize("NFC").replace(/\s+/gu, " ").trim()

/** Looks at the network for a publication with an unknown outcome, and settles what that shows. */
export const lookForTarget = Effect.fnUntraced(function* (ports: PublishPorts, claim: TargetClaim, target: PostTarget) {
  const { state } = target
  if (state._tag !== "OutcomeUnknown") return
  const { attemptedAt, lastAttemptAt, preparation } = state

  const ask = Effect.gen(function* () {
    const work = yield* openWork(ports, claim, target)
    const { knownIds } = yield* ports.store.findRivals(target)
    const uncertain = { publication: work.publication, preparation, attemptedAt, lastAttemptAt, knownIds }
    yield* Metric.update(Metric.withAttributes(publishMetrics.looks, { network: publishMetrics.networkOf(target) }), 1)
    const look = yield* work.account.use((access) => work.publish.find(access, uncertain))
    return { work, look: look._tag === "Found" ? yield* withoutRivals(ports, claim.post, target, look) : look }
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
