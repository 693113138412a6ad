import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import type { OpenAccount } from "../accounts/AccountTokens.ts"
import type { NetworkPublish, Preparation, PreparationStep } from "../networks/publishing/NetworkPublish.ts"
import type { Publication, Published } from "../networks/publishing/Publication.ts"
import type { NotYet } from "../networks/publishing/PublishErrors.ts"
import type { WriteFailed } from "../networks/ConnectorErrors.ts"
import type { PostTarget } from "../posts/PostTarget.ts"
import type { TargetClaim } from "../posts/PostStore.ts"
import { admitted, failed, isTooLate, overQuota, published, stepped } from "../posts/transitions.ts"
import { makePublication } from "./makePublication.ts"
import * as publishMetrics from "./publishMetrics.ts"
import type { PublishPorts } from "./publishPorts.ts"

/** A pause that is so short that the target is not handed back for it. */
const atOnce = Duration.millis(500)

const isPreparing = ({ state }: PostTarget) => state._tag === "Preparing"
const isPublishing = ({ state }: PostTarget) => state._tag === "Publishing"
const handBack = () => false

/** What a worker needs to publish a target at its network. */
interface Work {
  readonly account: OpenAccount
  readonly publish: NetworkPublish
  readonly publication: Publication
}

/** Opens the account and reads the files. */
export const openWork = Effect.fnUntraced(function* (ports: PublishPorts, claim: TargetClaim, target: PostTarget) {
  const publish = ports.publishOf(target)
  if (Option.isNone(publish)) return yield* ports.unavailable(target, "no connector of this network publishes")
  const work: Work = {
    account: yield* ports.open(claim),
    publish: publish.value,
    publication: yield* makePublication(ports, publish.value, claim.post, target)
  }
  return work
})

/** Whether the quota of the network allows one more, as it said lately or says now; one that tells no quota allows it. */
const isAllowed = Effect.fnUntraced(function* (ports: PublishPorts, target: PostTarget, { account, publish }: Work) {
  const { accountId } = target
  if (ports.quotas.takeOne(accountId, yield* DateTime.now)) return true
  const quota = yield* Effect.interruptible(account.use((access) => publish.quota(access))).pipe(
    Effect.catchTag("StoreUnavailable", ports.storeAway(target)),
    Effect.timeoutOrElse({
      duration: ports.limits.call,
      orElse: () => Effect.fail(ports.unavailable(target, "the quota was not told in time"))
    })
  )
  if (Option.isNone(quota)) return true
  ports.quotas.keep(accountId, quota.value, yield* DateTime.now)
  return quota.value.used < quota.value.total
})

/** One step of the preparation. It may be repeated, because nobody can see it. */
const prepare = (ports: PublishPorts, target: PostTarget, { account, publication, publish }: Work) => {
  const { state } = target
  const before = state._tag === "Preparing" ? state.preparation : Option.none<Preparation>()
  return Effect.interruptible(account.use((access) => publish.prepare(access, publication, before))).pipe(
    Effect.catchTag("StoreUnavailable", ports.storeAway(target)),
    Effect.timeoutOrElse({
      duration: ports.limits.step,
      orElse: () => Effect.fail(ports.unavailable(target, "it was not prepared in time"))
    })
  )
}

/**
 * Publishes at most once. If it ends without an answer, by a time-out or a defect of the connector, the outcome is
 * unknown.
 */
const send = (
  ports: PublishPorts,
  target: PostTarget,
  { account, publication, publish }: Work,
  preparation: Preparation
): Effect.Effect<Published, WriteFailed | NotYet> => {
  let hasBegun = false
  const lost = (detail: string) =>
    Effect.suspend(() => Effect.fail(hasBegun ? ports.unknown(target, detail) : ports.unavailable(target, detail)))
  return Effect.interruptible(
    account.use((access) =>
      Effect.gen(function* () {
        // The machine may have been suspended since the attempt was stored.
        if (isTooLate(target, yield* DateTime.now)) return yield* ports.unavailable(target, "it would come too late")
        hasBegun = true
        yield* Metric.update(
          Metric.withAttributes(publishMetrics.calls, { network: publishMetrics.networkOf(target) }),
          1
        )
        return yield* publish.publish(access, publication, preparation)
      })
    )
  ).pipe(
    // The token is invalid, so the network accepted nothing, and the store could not record that.
    Effect.catchTag("StoreUnavailable", ports.storeAway(target)),
    Effect.timeoutOrElse({ duration: ports.limits.call, orElse: () => lost("no answer in time") }),
    Effect.catchDefect((defect) =>
      Effect.andThen(Effect.logError("a connector died while it published a post", defect), lost("the connector died"))
    )
  )
}

/** Stores a failure. The quota is asked for again: it may be why. */
const fail = (
  ports: PublishPorts,
  claim: TargetClaim,
  { accountId }: PostTarget,
  error: Parameters<typeof failed>[1]
) =>
  Effect.suspend(() => {
    ports.quotas.forget(accountId)
    return ports.change(claim, (current, now) => failed(current, error, now), handBack)
  })

/** The call that publishes, of a target that was just stored as being published, and its outcome. */
export const attempt = Effect.fnUntraced(function* (
  ports: PublishPorts,
  claim: TargetClaim,
  target: PostTarget,
  work: Work
) {
  const { state } = target
  if (state._tag !== "Publishing") return
  // Opened anew: what was prepared may have taken minutes, and the account may be somebody else's since.
  yield* ports.open(claim).pipe(
    Effect.flatMap((account) => send(ports, target, { ...work, account }, state.preparation)),
    Effect.matchEffect({
      onSuccess: (post) => ports.change(claim, (current, now) => published(current, post, now), handBack),
      onFailure: (error) =>
        Effect.andThen(
          Effect.logInfo("a post was not published, or its outcome is not known", error),
          fail(ports, claim, target, error)
        )
    })
  )
})

const isToGoOn = (step: PreparationStep) => step._tag === "Again" && Duration.isLessThan(step.after, atOnce)

/** Brings a target that has begun as far as it goes now: quota, preparation step by step, and the publishing call. */
export const publishTarget = Effect.fnUntraced(function* (ports: PublishPorts, claim: TargetClaim, begun: PostTarget) {
  const go = Effect.gen(function* () {
    const work = yield* openWork(ports, claim, begun)
    let target = begun
    if (target.state._tag === "Preparing" && !target.state.isAdmitted) {
      const isFree = yield* isAllowed(ports, target, work)
      target = yield* ports.change(claim, isFree ? admitted : overQuota, isPreparing)
    }
    while (isPreparing(target)) {
      const step = yield* prepare(ports, target, work)
      const goesOn = isToGoOn(step)
      target = yield* ports.change(
        claim,
        (current, now) => stepped(current, step, now),
        (current) => isPublishing(current) || (goesOn && isPreparing(current))
      )
      if (!goesOn) break
    }
    yield* attempt(ports, claim, target, work)
  })
  yield* go.pipe(
    Effect.catchDefect((defect) =>
      Effect.andThen(
        Effect.logError("a connector died while it prepared a post", defect),
        Effect.fail(ports.unavailable(begun, "the connector died"))
      )
    ),
    Effect.catch((error) =>
      error._tag === "LeaseLost" || error._tag === "StoreUnavailable"
        ? Effect.fail(error)
        : Effect.andThen(Effect.logInfo("a post was not prepared", error), fail(ports, claim, begun, error))
    )
  )
})
