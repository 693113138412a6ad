import { DateTime, Effect, Option } from "effect"
import {
  OutcomeUnknown,
  RateLimited,
  Rejected,
  Unavailable,
  type WriteFailed
} from "@loopbox/core/networks/ConnectorErrors"
import type { Posted } from "@loopbox/core/networks/InboundActivity"
import type { Reply, ReplyLook, SentReply, UncertainReply } from "@loopbox/core/networks/Reply"
import type { NetworkWrites } from "@loopbox/core/networks/SocialConnector"
import { networkOf } from "../../src/fixtures/networks.ts"
import { posted } from "../../src/fixtures/activities.ts"
import type { Chance } from "./Chance.ts"

/** What a network shows to everybody: an effect of a reply. */
export interface Effected {
  readonly operationId: string
  readonly text: string
  readonly at: DateTime.Utc
  readonly post: Posted
  /** From when on reads show it. */
  readonly visibleAt: DateTime.Utc
}

/** The four networks, as they treat replies: they may lose a request, its answer, or take long over either. */
export const makeReplyNetwork = (chance: Chance, weather: { isFair: boolean }) => {
  const effects: Array<Effected> = []
  /** Every call that could have had an effect. */
  const calls: Array<{
    readonly operationId: string
    readonly at: DateTime.Utc
    readonly container: string | undefined
  }> = []
  const containers = new Map<string, Effected | undefined>()
  let names = 0

  const about = ({ source }: Reply) => ({ network: networkOf(source), networkCode: Option.none(), detail: "" })

  const take = Effect.fnUntraced(function* (account: string, reply: Reply, container: Option.Option<string>) {
    const known = Option.isSome(container) ? containers.get(container.value) : undefined
    if (known !== undefined) return known
    const at = yield* DateTime.now
    const externalId = `post${++names}`
    const { source, target, text } = reply
    const own = { source, account, externalId, threadKey: target.threadKey, body: text, isOwn: true, receivedAt: at }
    const tag = source === "fb_dm" ? Option.some(reply.operationId) : Option.none()
    const post = Object.assign(posted({ ...own, author: { id: Option.some("page") } }), {
      parentExternalId: Option.some(target.externalId),
      operationTag: tag
    })
    const visibleAt = DateTime.add(at, { seconds: weather.isFair ? 0 : chance.below(60) })
    const effect: Effected = { operationId: reply.operationId, text, at, post, visibleAt }
    effects.push(effect)
    if (Option.isSome(container)) containers.set(container.value, effect)
    return effect
  })

  const isDuplicate = ({ source, text }: Reply) =>
    source === "x_reply" && effects.some(({ post }) => post.source === source && post.body === text)

  /** A network that takes an answer for one that it has already, and tells of that one. */
  const earlierOf = ({ source, target, text }: Reply): Effected | undefined =>
    source === "fb_dm"
      ? undefined
      : effects.find(
          ({ post }) =>
            post.source === source &&
            post.body === text &&
            Option.contains(post.parentExternalId, target.externalId) &&
            post.threadKey._tag === "Known"
        )

  const sendReply: NetworkWrites["sendReply"] = Effect.fnUntraced(function* (
    { networkAccountId },
    reply,
    container
  ): Effect.fn.Return<SentReply, WriteFailed> {
    const at = yield* DateTime.now
    calls.push({ operationId: reply.operationId, at, container: Option.getOrUndefined(container) })
    if (isDuplicate(reply)) return yield* new Rejected({ ...about(reply), reason: "duplicate" })
    const fate = weather.isFair ? 0 : chance.below(11)
    if (fate >= 1 && fate <= 3) chance.note("a reply is refused")
    if (fate === 4 || fate === 6) chance.note("a reply's answer is lost")
    if (fate === 5 || fate === 7) chance.note("a reply is never answered")
    if (fate === 1) return yield* new RateLimited({ ...about(reply), retryAt: Option.none() })
    if (fate === 2) return yield* new Unavailable({ ...about(reply), reason: "upstream" })
    if (fate === 3) return yield* new Rejected({ ...about(reply), reason: "blocked" })
    if (fate === 4) return yield* new OutcomeUnknown(about(reply))
    if (fate === 5) return yield* Effect.never
    if (fate >= 9) yield* Effect.sleep(`${chance.below(20_000)} millis`)
    const same = fate === 8 ? earlierOf(reply) : undefined
    if (same !== undefined) return { posted: same.post }
    const { post } = yield* take(networkAccountId, reply, container)
    if (fate === 6) return yield* new OutcomeUnknown(about(reply))
    if (fate === 7) return yield* Effect.never
    return { posted: post }
  })

  const look = Effect.fnUntraced(function* ({ attemptedAt, preparation, reply }: UncertainReply) {
    const now = yield* DateTime.now
    const shown = effects.filter(
      ({ at, post, visibleAt }) =>
        post.source === reply.source &&
        DateTime.isLessThanOrEqualTo(visibleAt, now) &&
        DateTime.isGreaterThanOrEqualTo(at, DateTime.subtract(attemptedAt, { seconds: 60 }))
    )
    const isWaiting = Option.exists(preparation, (container) => containers.get(container) === undefined)
    const isSettled = DateTime.isGreaterThanOrEqualTo(now, DateTime.add(attemptedAt, { seconds: 60 }))
    const found: ReplyLook =
      isWaiting && isSettled ? { _tag: "NotPublished" } : { _tag: "Candidates", posted: shown.map(({ post }) => post) }
    return found
  })

  const script: Partial<NetworkWrites> = {
    prepareReply: (_access, reply) =>
      Effect.suspend((): ReturnType<NetworkWrites["prepareReply"]> => {
        if (reply.source !== "threads_reply") return Effect.succeedNone
        if (!weather.isFair && chance.isOneIn(5)) {
          return Effect.fail(new Unavailable({ ...about(reply), reason: "upstream" }))
        }
        const container = `container${++names}`
        containers.set(container, undefined)
        return Effect.succeedSome(container)
      }),
    sendReply,
    findReply: (_access, uncertain) =>
      Effect.suspend(() =>
        !weather.isFair && chance.isOneIn(3)
          ? Effect.fail(new Unavailable({ ...about(uncertain.reply), reason: "upstream" }))
          : look(uncertain)
      )
  }
  return { effects, calls, script }
}

export type ReplyNetwork = ReturnType<typeof makeReplyNetwork>
