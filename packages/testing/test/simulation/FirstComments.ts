import { DateTime, Effect, Option } from "effect"
import { OutcomeUnknown, RateLimited, Rejected, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import type { Posted } from "@loopbox/core/networks/InboundActivity"
import type { SocialConnector } from "@loopbox/core/networks/SocialConnector"
import { posted } from "../../src/fixtures/activities.ts"
import type { Chance } from "./Chance.ts"
import type { PostEffect } from "./PostNetwork.ts"

/** A first comment as the network shows it. */
export interface WrittenComment {
  readonly targetId: string
  readonly text: string
  readonly at: DateTime.Utc
  readonly post: Posted
  /** From when on reads show it. */
  readonly visibleAt: DateTime.Utc
}

const about = { network: "facebook", networkCode: Option.none(), detail: "" } as const

/** First comments below posts, as a network takes them: it may refuse one, lose its answer, or never give one. */
export const makeFirstComments = (
  chance: Chance,
  weather: { readonly isFair: boolean },
  effects: ReadonlyArray<PostEffect>
) => {
  const written: Array<WrittenComment> = []
  const violations: Array<string> = []

  const write = Effect.fnUntraced(function* (
    account: string,
    { operationId, target, text }: Parameters<SocialConnector["sendReply"]>[1]
  ) {
    const at = yield* DateTime.now
    const post = effects.find(({ targetId }) => targetId === operationId)
    if (post === undefined) violations.push(`a comment was written below ${operationId}, which is not published`)
    // Of two that look alike it does not matter which is whose.
    const place = effects.find(({ externalId }) => externalId === target.externalId)
    if (place?.account !== account || place.text !== post?.text)
      violations.push(`the comment of ${operationId} is below another post`)
    if (written.some(({ targetId }) => targetId === operationId))
      violations.push(`${operationId} has two first comments`)
    const own = { source: "fb_comment" as const, account, externalId: `comment-of-${operationId}`, body: text }
    const told = posted({ ...own, rootOf: target.externalId, isOwn: true, receivedAt: at })
    const visibleAt = DateTime.add(at, { seconds: weather.isFair ? 0 : chance.below(60) })
    written.push({ targetId: operationId, text, at, post: told, visibleAt })
    return { posted: told }
  })

  const sendReply: SocialConnector["sendReply"] = Effect.fnUntraced(function* ({ networkAccountId }, reply) {
    const fate = weather.isFair ? 9 : chance.below(12)
    if (fate === 0) return yield* new RateLimited({ ...about, retryAt: Option.none() })
    if (fate === 1) return yield* new Unavailable({ ...about, reason: "upstream" })
    if (fate === 2) return yield* new Rejected({ ...about, reason: "blocked" })
    if (fate === 3) return yield* new OutcomeUnknown(about)
    if (fate === 4) return yield* Effect.never
    if (fate === 5) yield* Effect.sleep(chance.below(30_000))
    const sent = yield* write(networkAccountId, reply)
    if (fate === 6 || fate === 7) return yield* new OutcomeUnknown(about)
    return fate === 8 ? yield* Effect.never : sent
  })

  const findReply: SocialConnector["findReply"] = Effect.fnUntraced(function* (_access, { attemptedAt, reply }) {
    if (!weather.isFair && chance.isOneIn(3)) return yield* new Unavailable({ ...about, reason: "upstream" })
    const now = yield* DateTime.now
    const shown = written.filter(
      ({ at, post, visibleAt }) =>
        Option.contains(post.parentExternalId, reply.target.externalId) &&
        DateTime.isLessThanOrEqualTo(visibleAt, now) &&
        DateTime.isGreaterThanOrEqualTo(at, DateTime.subtract(attemptedAt, { seconds: 60 }))
    )
    return { _tag: "Candidates", posted: shown.map(({ post }) => post) }
  })

  const calls: Pick<SocialConnector, "prepareReply" | "sendReply" | "findReply"> = {
    prepareReply: () => Effect.succeedNone,
    sendReply,
    findReply
  }
  return { written, violations, calls }
}

export type FirstComments = ReturnType<typeof makeFirstComments>
