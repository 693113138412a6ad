import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { NetworkDescriptor } from "@loopbox/core/networks/Network"
import type { FeedPage } from "@loopbox/core/networks/Feed"
import { isOwnItem, type Posted } from "@loopbox/core/networks/InboundActivity"
import { networkTable } from "@loopbox/core/networks/Networks"
import type { Reply } from "@loopbox/core/networks/Reply"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { SocialConnector } from "@loopbox/core/networks/SocialConnector"

/** A network to test a connector with, and an account on it. */
export interface ConnectedNetwork {
  readonly connector: SocialConnector
  readonly access: AccountAccess
  /** Another person writes something that belongs in the account's inbox. */
  readonly write: (text: string) => Effect.Effect<unknown>
  /** From now on requests arrive, but their answers are lost. */
  readonly loseAnswers: Effect.Effect<unknown>
  /** From now on nothing is answered. */
  readonly goDown: Effect.Effect<unknown>
}

const readAll = Effect.fnUntraced(function* ({ access, connector }: ConnectedNetwork) {
  const pages: Array<FeedPage> = []
  for (const step of connector.pollSteps) {
    for (const feed of yield* connector.listFeeds(access, step, DateTime.makeUnsafe(0))) {
      let cursor = Option.none<string>()
      do {
        const request = { cursor, checkpoint: Option.none(), since: Option.none(), limit: Option.none() }
        const page: FeedPage = yield* connector.readFeed(access, feed, request)
        pages.push(page)
        cursor = page.next
      } while (Option.isSome(cursor) && pages.length < 50)
    }
  }
  return pages
})

const postedIn = (pages: ReadonlyArray<FeedPage>): ReadonlyArray<Posted> =>
  pages.flatMap(({ activities }) => activities.flatMap((one) => (one._tag === "Posted" ? [one] : [])))

const replyTo = (posted: Posted, text: string): Reply => ({
  source: posted.source,
  target: {
    externalId: posted.externalId,
    replyTargetId: posted.replyTargetId,
    threadKey: posted.threadKey._tag === "Known" ? posted.threadKey.key : posted.threadKey.parentExternalId,
    linkedPostId: posted.linkedPostId
  },
  text,
  operationId: "op_contract"
})

/**
 * What every connector does: reads what people wrote, the same each time; sends a reply once and returns it as an own
 * item; finds a reply whose answer was lost; and says how a call failed.
 */
export const socialConnectorContract = (
  descriptor: NetworkDescriptor,
  connect: Effect.Effect<ConnectedNetwork, unknown, Scope.Scope>
) =>
  describe(`SocialConnector: ${descriptor.network}`, () => {
    const table = networkTable([descriptor])
    const sources = table.sources
    const first = Effect.fnUntraced(function* (network: ConnectedNetwork) {
      const [item] = postedIn(yield* readAll(network)).filter((one) => !isOwn(network, one))
      return item ?? (yield* Effect.die("nothing was read"))
    })
    const isOwn = ({ access }: ConnectedNetwork, posted: Posted) => isOwnItem(table, posted, access)

    it.live("reads what people wrote, of its own sources, each once", () =>
      Effect.gen(function* () {
        const network = yield* connect
        for (const text of ["one", "two", "three"]) yield* network.write(text)
        const pages = yield* readAll(network)
        const posted = postedIn(pages)
        const bodies = posted.map(({ body }) => body)
        for (const text of ["one", "two", "three"]) {
          assert.strictEqual(bodies.filter((body) => body.includes(text)).length, 1, text)
        }
        assert.isTrue(posted.every(({ source }) => sources.includes(source)))
        assert.isTrue(posted.every(({ route }) => route.network === descriptor.network))
        const seen = new Set(pages.flatMap((page) => page.seen))
        assert.isTrue(posted.every(({ externalId }) => seen.has(externalId)))
        assert.deepStrictEqual(
          pages.flatMap(({ unreadable }) => unreadable),
          []
        )
      }).pipe(Effect.scoped)
    )

    it.live("reads the same a second time", () =>
      Effect.gen(function* () {
        const network = yield* connect
        yield* network.write("hello")
        const before = postedIn(yield* readAll(network))
        assert.isAbove(before.length, 0)
        assert.deepStrictEqual(postedIn(yield* readAll(network)), before)
      }).pipe(Effect.scoped)
    )

    it.live("sends a reply, and gives it as the account's own item with the text that was sent", () =>
      Effect.gen(function* () {
        const network = yield* connect
        yield* network.write("hello")
        const item = yield* first(network)
        const reply = replyTo(item, "thank you")
        const { access, connector } = network
        const preparation = yield* connector.prepareReply(access, reply)
        const { posted } = yield* connector.sendReply(access, reply, preparation)
        assert.isTrue(isOwn(network, posted))
        assert.strictEqual(posted.body, "thank you")
        assert.strictEqual(posted.source, item.source)
        assert.strictEqual(yield* connector.isThere(access, posted.source, posted.externalId), true)
      }).pipe(Effect.scoped)
    )

    it.live("leaves the outcome open where the answer is lost, and finds the reply by a look", () =>
      Effect.gen(function* () {
        const network = yield* connect
        yield* network.write("hello")
        const reply = replyTo(yield* first(network), "thank you")
        const { access, connector } = network
        const attemptedAt = yield* DateTime.now
        const preparation = yield* connector.prepareReply(access, reply)
        yield* network.loseAnswers
        const failed = yield* Effect.flip(connector.sendReply(access, reply, preparation))
        assert.strictEqual(failed._tag, "OutcomeUnknown")
        const look = yield* connector.findReply(access, { reply, preparation, attemptedAt })
        assert.strictEqual(look._tag, "Candidates")
        const { comparable } = table.traitsOf(reply.source)
        const bodies = look._tag === "Candidates" ? look.posted.map(({ body }) => comparable(body)) : []
        assert.deepStrictEqual(bodies, ["thank you"])
      }).pipe(Effect.scoped)
    )

    it.live("says that a token is dead, and that the network is down", () =>
      Effect.gen(function* () {
        const network = yield* connect
        yield* network.write("hello")
        const access = { ...network.access, accessToken: Redacted.make("of nobody") }
        assert.strictEqual((yield* Effect.flip(readAll({ ...network, access })))._tag, "AuthExpired")
        yield* network.goDown
        assert.strictEqual((yield* Effect.flip(readAll(network)))._tag, "Unavailable")
      }).pipe(Effect.scoped)
    )

    it("measures a text by itself, within a limit", () => {
      return Effect.runPromise(
        Effect.gen(function* () {
          const { connector } = yield* connect
          for (const source of sources) {
            const { length, limit } = connector.measure(source, "four")
            assert.strictEqual(length, 4)
            assert.isAbove(limit, 100)
            assert.isAbove(connector.measure(source, "x".repeat(limit + 1)).length, limit)
          }
        }).pipe(Effect.scoped)
      )
    })
  })
