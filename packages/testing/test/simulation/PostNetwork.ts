import { DateTime, Duration, Effect, Option } from "effect"
import { OutcomeUnknown, RateLimited, Rejected, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import type { NetworkPublish, PublicationLook } from "@loopbox/core/networks/publishing/NetworkPublish"
import type { Publication, Published } from "@loopbox/core/networks/publishing/Publication"
import { NotYet, PreparationFailed } from "@loopbox/core/networks/publishing/PublishErrors"
import type { Chance } from "./Chance.ts"

/** What a network shows to everybody: a post of a target. */
export interface PostEffect {
  readonly targetId: string
  readonly account: string
  readonly text: string
  readonly at: DateTime.Utc
  readonly externalId: string
  /** From when on reads show it. */
  readonly visibleAt: DateTime.Utc
}

interface Container {
  readonly readyAt: DateTime.Utc
  effect: PostEffect | undefined
}

const about = { network: "instagram", networkCode: Option.none(), detail: "" } as const

const asPublished = ({ externalId }: PostEffect): Published => ({
  externalId,
  url: Option.some(`https://n/${externalId}`),
  postIds: [externalId]
})

/**
 * Networks as they treat posts: some publish a container, which goes out once and tells its state, others a text with
 * one call that only a list proves. They may lose a request or its answer, take long, or say what is not so.
 */
export const makePostNetwork = (chance: Chance, weather: { isFair: boolean }, publishesContainers: boolean) => {
  const effects: Array<PostEffect> = []
  const containers = new Map<string, Container>()
  let names = 0

  const take = Effect.fnUntraced(function* (account: string, { operationId, text }: Publication, name: string) {
    const container = containers.get(name)
    if (container?.effect !== undefined) return yield* new Rejected({ ...about, reason: "other" })
    const at = yield* DateTime.now
    const visibleAt = DateTime.add(at, { seconds: weather.isFair ? 0 : chance.below(60) })
    const effect: PostEffect = { targetId: operationId, account, text, at, externalId: `post${++names}`, visibleAt }
    effects.push(effect)
    if (container !== undefined && publishesContainers) container.effect = effect
    return effect
  })

  const prepare: NetworkPublish["prepare"] = Effect.fnUntraced(function* (_access, _publication, before) {
    const now = yield* DateTime.now
    const fate = weather.isFair ? 9 : chance.below(14)
    if (fate === 0) return yield* new Unavailable({ ...about, reason: "upstream" })
    if (fate === 1) return yield* new RateLimited({ ...about, retryAt: Option.none() })
    if (fate === 2) return yield* new PreparationFailed({ ...about, code: "media_fetch_failed", again: "new" })
    if (fate === 3) return yield* Effect.never
    const known = Option.getOrUndefined(before)
    const container = typeof known === "string" ? containers.get(known) : undefined
    if (typeof known === "string" && container !== undefined) {
      const isReady = DateTime.isLessThanOrEqualTo(container.readyAt, now)
      return isReady
        ? { _tag: "Ready", preparation: known }
        : { _tag: "Again", preparation: known, after: Duration.seconds(3) }
    }
    const preparation = `container${++names}`
    containers.set(preparation, { readyAt: DateTime.add(now, { seconds: chance.below(20) }), effect: undefined })
    return { _tag: "Again", preparation, after: Duration.millis(chance.below(2) * 2_000) }
  })

  const publish: NetworkPublish["publish"] = Effect.fnUntraced(function* (access, publication, preparation) {
    const name = typeof preparation === "string" ? preparation : ""
    const fate = weather.isFair ? 20 : chance.below(16)
    if (fate === 0) return yield* new RateLimited({ ...about, retryAt: Option.none() })
    if (fate === 1) return yield* new Unavailable({ ...about, reason: "upstream" })
    if (fate === 2) return yield* new Rejected({ ...about, reason: "blocked" })
    // The request is lost, or its answer is a 5xx.
    if (fate === 3) return yield* new OutcomeUnknown(about)
    if (fate === 4) return yield* Effect.never
    // Finished, says the container, and not yet, says the call.
    if (publishesContainers && (fate === 5 || fate === 6)) return yield* new NotYet(about)
    if (fate >= 13 && fate < 16) yield* Effect.sleep(`${chance.below(38_000)} millis`)
    const effect = yield* take(access.networkAccountId, publication, name)
    // The answer is lost, or says that the action is blocked although the post is live.
    if (fate === 7 || fate === 8 || fate === 9) return yield* new OutcomeUnknown(about)
    if (fate === 10) return yield* Effect.never
    if (fate === 11) return yield* Effect.die(new Error("a connector that met a bug"))
    return asPublished(effect)
  })

  const find: NetworkPublish["find"] = Effect.fnUntraced(function* (access, uncertain) {
    const { attemptedAt, knownIds, lastAttemptAt, preparation, publication } = uncertain
    if (!weather.isFair && chance.isOneIn(3)) return yield* new Unavailable({ ...about, reason: "upstream" })
    const now = yield* DateTime.now
    const container = typeof preparation === "string" ? containers.get(preparation) : undefined
    const isSettled = DateTime.isGreaterThanOrEqualTo(now, DateTime.add(lastAttemptAt, { seconds: 60 }))
    if (publishesContainers && container?.effect === undefined && isSettled) {
      return { _tag: "NotPublished" } satisfies PublicationLook
    }
    const shown = effects.filter(
      ({ account, at, externalId, text, visibleAt }) =>
        account === access.networkAccountId &&
        text === publication.text &&
        !knownIds.has(externalId) &&
        DateTime.isLessThanOrEqualTo(visibleAt, now) &&
        DateTime.isGreaterThanOrEqualTo(at, DateTime.subtract(attemptedAt, { seconds: 60 }))
    )
    const [only, ...more] = shown
    const look: PublicationLook =
      only !== undefined && more.length === 0 ? { _tag: "Found", published: asPublished(only) } : { _tag: "Nothing" }
    return look
  })

  const script: Partial<NetworkPublish> = {
    quota: () =>
      Effect.sync(() =>
        Option.some({ used: chance.isOneIn(30) && !weather.isFair ? 5 : 1, total: 5, window: Duration.days(1) })
      ),
    prepare,
    publish,
    find
  }
  return { effects, script }
}

export type PostNetwork = ReturnType<typeof makePostNetwork>
