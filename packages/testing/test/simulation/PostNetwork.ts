import { DateTime, Duration, Effect, Option } from "effect"
import { OutcomeUnknown, RateLimited, Rejected, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import type { NetworkPublish, PublicationLook } from "@loopbox/core/networks/publishing/NetworkPublish"
import { onlyMatch } from "@loopbox/core/networks/publishing/onlyMatch"
import type { Publication, Published } from "@loopbox/core/networks/publishing/Publication"
import { NotYet, PreparationFailed } from "@loopbox/core/networks/publishing/PublishErrors"
import type { Chance, Mishap } from "./Chance.ts"
import { makeFirstComments } from "./FirstComments.ts"

/** What a network shows to everybody: a post of a target. */
export interface PostEffect {
  readonly targetId: string
  readonly account: string
  readonly text: string
  readonly at: DateTime.Utc
  readonly externalId: string
  /** From when on reads show it. */
  readonly visibleAt: DateTime.Utc
  /** Another id by which comments name it. */
  readonly alias: string
  /** The answer tells neither its address nor its other id: these are asked for later. */
  readonly isBare: boolean
}

interface Container {
  readonly readyAt: DateTime.Utc
  effect: PostEffect | undefined
}

const about = { network: "instagram", networkCode: Option.none(), detail: "" } as const

const asKnown = ({ alias, externalId }: PostEffect): Published => ({
  externalId,
  url: Option.some(`https://n/${externalId}`),
  postIds: [externalId, alias]
})

const asPublished = (effect: PostEffect): Published =>
  effect.isBare ? { externalId: effect.externalId, url: Option.none(), postIds: [effect.externalId] } : asKnown(effect)

/** What becomes of a call that publishes. After the last four the post is live. */
export type CallFate =
  | "done"
  | "late"
  | "rate limited"
  | "unavailable"
  | "refused"
  | "request lost"
  | "silent"
  /** The container is finished, as it says, and the call can't find it. */
  | "not found yet"
  /** The answer is lost, a 5xx, or says that the action is blocked. */
  | "answer lost"
  | "silent after"
  | "dies after"

/** Of 16 calls in bad weather. */
const stormyFates: ReadonlyArray<CallFate> = [
  ...(["rate limited", "unavailable", "refused", "request lost", "silent", "not found yet", "not found yet"] as const),
  ...(["answer lost", "answer lost", "answer lost", "silent after", "dies after", "done"] as const),
  ...(["late", "late", "late"] as const)
]

/** What such a fate is for whoever publishes. */
const mishapOf: Readonly<Record<CallFate, Mishap | undefined>> = {
  done: undefined,
  late: undefined,
  "rate limited": "a post is refused",
  unavailable: "a post is refused",
  refused: "a post is refused",
  "not found yet": "a post is refused",
  "request lost": "a post's answer is lost",
  "answer lost": "a post's answer is lost",
  "dies after": "a post's answer is lost",
  silent: "a post is never answered",
  "silent after": "a post is never answered"
}

interface PostWeather {
  isFair: boolean
  /** The fates of the next calls that publish, whatever the weather. */
  fates?: Array<CallFate>
}

export interface PostHooks {
  /** Runs as a call that publishes arrives, with the id of its target. */
  judgeCall: (targetId: string) => Effect.Effect<void>
  /** The account whose quota is used up, for longer than anybody waits. */
  exhausted: string | undefined
}

/**
 * Networks as they treat posts: some publish a container, which goes out once and tells its state, others a text with
 * one call that only a list proves. They may lose a request or its answer, take long, or say what is not so.
 */
export const makePostNetwork = (chance: Chance, weather: PostWeather, publishesContainers: boolean) => {
  const effects: Array<PostEffect> = []
  const containers = new Map<string, Container>()
  let names = 0
  const hooks: PostHooks = { judgeCall: () => Effect.void, exhausted: undefined }

  const take = Effect.fnUntraced(function* (account: string, { operationId, text }: Publication, name: string) {
    const container = containers.get(name)
    if (container?.effect !== undefined) return yield* new Rejected({ ...about, reason: "other" })
    const at = yield* DateTime.now
    const isSlow = !weather.isFair || weather.fates !== undefined
    const visibleAt = DateTime.add(at, { seconds: isSlow ? chance.below(60) : 0 })
    const number = ++names
    const ids = { externalId: `post${number}`, alias: `alias${number}`, isBare: number % 3 === 0 }
    const effect: PostEffect = { targetId: operationId, account, text, at, ...ids, visibleAt }
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

  const nextFate = (): CallFate => {
    const given = weather.fates?.shift()
    if (given !== undefined) return given
    return weather.isFair ? "done" : (chance.pick(stormyFates) ?? "done")
  }

  const publish: NetworkPublish["publish"] = Effect.fnUntraced(function* (access, publication, preparation) {
    const name = typeof preparation === "string" ? preparation : ""
    yield* hooks.judgeCall(publication.operationId)
    const fate = nextFate()
    const mishap = mishapOf[fate]
    if (mishap !== undefined) chance.note(mishap)
    if (fate === "rate limited") return yield* new RateLimited({ ...about, retryAt: Option.none() })
    if (fate === "unavailable") return yield* new Unavailable({ ...about, reason: "upstream" })
    if (fate === "refused")
      return yield* new Rejected({ ...about, reason: chance.pick(["blocked", "duplicate"] as const) ?? "blocked" })
    if (fate === "request lost") return yield* new OutcomeUnknown(about)
    if (fate === "silent") return yield* Effect.never
    if (publishesContainers && fate === "not found yet") return yield* new NotYet(about)
    if (fate === "late") yield* Effect.sleep(`${chance.below(38_000)} millis`)
    const effect = yield* take(access.networkAccountId, publication, name)
    if (fate === "answer lost") return yield* new OutcomeUnknown(about)
    if (fate === "silent after") return yield* Effect.never
    if (fate === "dies after") return yield* Effect.die(new Error("a connector that met a bug"))
    return asPublished(effect)
  })

  const find: NetworkPublish["find"] = Effect.fnUntraced(function* (access, uncertain) {
    const { lastAttemptAt, preparation } = uncertain
    if (!weather.isFair && chance.isOneIn(3)) return yield* new Unavailable({ ...about, reason: "upstream" })
    const now = yield* DateTime.now
    const container = typeof preparation === "string" ? containers.get(preparation) : undefined
    const isSettled = DateTime.isGreaterThanOrEqualTo(now, DateTime.add(lastAttemptAt, { seconds: 60 }))
    if (publishesContainers && container?.effect === undefined && isSettled) {
      return { _tag: "NotPublished" } satisfies PublicationLook
    }
    const shown = effects
      .filter(
        ({ account, visibleAt }) => account === access.networkAccountId && DateTime.isLessThanOrEqualTo(visibleAt, now)
      )
      .map((effect) => ({
        id: effect.externalId,
        text: effect.text,
        at: Option.some(effect.at),
        url: Option.none(),
        effect
      }))
    const look: PublicationLook = Option.match(onlyMatch(uncertain, shown), {
      onNone: () => ({ _tag: "Nothing" }),
      onSome: ({ effect }) => ({ _tag: "Found", published: asPublished(effect) })
    })
    return look
  })

  const details: NetworkPublish["details"] = Effect.fnUntraced(function* (_access, externalId) {
    const effect = effects.find((one) => one.externalId === externalId)
    if (effect === undefined || (!weather.isFair && chance.isOneIn(4)))
      return yield* new Unavailable({ ...about, reason: "upstream" })
    return asKnown(effect)
  })

  const script: Partial<NetworkPublish> = {
    details,
    quota: ({ networkAccountId }) =>
      Effect.sync(() => {
        const isUsedUp = networkAccountId === hooks.exhausted || (chance.isOneIn(30) && !weather.isFair)
        return Option.some({ used: isUsedUp ? 5 : 1, total: 5, window: Duration.days(1) })
      }),
    prepare,
    publish,
    find
  }
  /** When targets are to go out at the earliest. */
  const notBefore = new Map<string, DateTime.Utc>()
  return { effects, notBefore, script, hooks, comments: makeFirstComments(chance, weather, effects) }
}

export type PostNetwork = ReturnType<typeof makePostNetwork>
