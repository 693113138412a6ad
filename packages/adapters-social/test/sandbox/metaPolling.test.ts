import { connectorTo } from "@loopbox/core/networks/Connectors"
/** What a poll of the sandbox says is what its webhooks said, for Instagram and Facebook. */
import type { Posted } from "@loopbox/core/networks/InboundActivity"
import type { Reply } from "@loopbox/core/networks/Reply"
import { sourcesOf } from "../../src/names.ts"
import type { Network, Source } from "../../src/names.ts"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { essence, newest } from "../meta/graph.ts"
import { accounts, sandboxed } from "./sandboxed.ts"

const accessOf = (network: Network) => {
  const { accessToken, accountId, username } = Option.getOrThrow(
    Option.fromUndefinedOr(accounts.find((one) => one.network === network))
  )
  return {
    networkAccountId: accountId,
    otherAccountId: Option.none(),
    login: Option.none(),
    throughAccountId: Option.none(),
    username: Option.some(username),
    accessToken
  }
}

const windowStart = Effect.map(DateTime.now, (now) => DateTime.subtract(now, { days: 30 }))

/** All that is there, read page by page. */
const poll = Effect.fnUntraced(function* (world: Effect.Success<ReturnType<typeof sandboxed>>, network: Network) {
  const connector = connectorTo(world.connectors, network)
  const access = accessOf(network)
  const posted: Array<Posted> = []
  for (const step of connector.pollSteps) {
    for (const feed of yield* connector.listFeeds(access, step, yield* windowStart)) {
      let page = Option.isSome(feed.firstPage) ? feed.firstPage.value : yield* connector.readFeed(access, feed, newest)
      for (;;) {
        assert.deepStrictEqual(page.unreadable, [])
        posted.push(...page.activities.filter((one) => one._tag === "Posted"))
        if (Option.isNone(page.next)) break
        page = yield* connector.readFeed(access, feed, { ...newest, cursor: page.next })
      }
    }
  }
  return posted
})

/** Threads that the webhook leaves open are looked up, as the worker does. */
const settled = Effect.fnUntraced(function* (
  world: Effect.Success<ReturnType<typeof sandboxed>>,
  network: Network,
  posted: Posted
) {
  if (posted.threadKey._tag === "Known") return essence(posted)
  const { externalId, source } = posted
  const { parentExternalId } = posted.threadKey
  const key = yield* connectorTo(world.connectors, network).findThreadKey(accessOf(network), {
    source,
    externalId,
    parentExternalId
  })
  return { ...essence(posted), thread: key }
})

const inOrder = <A extends { readonly id: string }>(all: ReadonlyArray<A>) =>
  [...new Map(all.map((one) => [one.id, one])).values()].toSorted((a, b) => a.id.localeCompare(b.id))

const replyTo = ({ externalId, linkedPostId, replyTargetId, source }: Posted, threadKey: string): Reply => ({
  source,
  target: { externalId, replyTargetId, threadKey, linkedPostId },
  text: `Thank you, says ${source}`,
  operationId: "op_1"
})

describe("the sandbox's polls and webhooks", () => {
  for (const network of ["instagram", "facebook"] as const) {
    it.live(`say the same on ${network}, our own replies among it`, () =>
      Effect.gen(function* () {
        const world = yield* sandboxed()
        const { sandbox } = world
        const top = yield* sandbox.comment({ network, text: "How much?", from: "Ada Lind" })
        const answer = yield* sandbox.comment({ network, text: "I want to know too", parentId: top.id })
        yield* sandbox.comment({ network, text: "Me too", parentId: answer.id, from: "Kim" })
        yield* sandbox.message({ network, text: "Do you ship?", from: "Ada Lind" })
        yield* sandbox.message({ network, text: "Hello?", from: "Kim" })
        const before = (yield* world.told).filter((one) => one._tag === "Posted")
        const connector = connectorTo(world.connectors, network)
        const sent: Array<Posted> = []
        for (const source of sourcesOf(network)) {
          const target = before.findLast((one) => one.source === source)
          assert.isDefined(target)
          if (target === undefined) continue
          const { thread } = yield* settled(world, network, target)
          const reply = replyTo(target, thread)
          const { posted } = yield* connector.sendReply(accessOf(network), reply, Option.none())
          sent.push(posted)
          yield* Effect.sleep("100 millis")
          const look = yield* connector.findReply(accessOf(network), {
            reply,
            preparation: Option.none(),
            attemptedAt: yield* DateTime.now
          })
          assert.deepStrictEqual(look._tag === "Candidates" ? look.posted.map(essence) : [], [essence(posted)])
        }
        const told = (yield* world.told).filter((one) => one._tag === "Posted")
        const polled = yield* poll(world, network)
        const bySettled = inOrder(yield* Effect.forEach(told, (one) => settled(world, network, one)))
        assert.deepStrictEqual(inOrder(polled.map(essence)), bySettled)
        assert.strictEqual(bySettled.length, 7)
        for (const one of sent) {
          assert.deepStrictEqual(
            bySettled.find(({ id }) => id === one.externalId),
            essence(one)
          )
        }
        const postId = Option.getOrThrow(Option.flatMap(Option.fromUndefinedOr(told[0]), (one) => one.linkedPostId))
        const source: Source = network === "instagram" ? "ig_comment" : "fb_comment"
        const post = yield* connector.findMediaContext(accessOf(network), source, postId)
        assert.strictEqual(post.id, postId)
        assert.isTrue(yield* connector.isThere(accessOf(network), source, top.id))
        yield* sandbox.remove({ network, id: answer.id })
        assert.isFalse(yield* connector.isThere(accessOf(network), source, answer.id))
      })
    )
  }
})
