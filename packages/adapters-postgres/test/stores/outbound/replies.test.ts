import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import { PgAdapters } from "@loopbox/adapters-postgres"
import { Access } from "@loopbox/core/access/Access"
import { InboxAccess } from "@loopbox/core/access/InboxAccess"
import { CredentialVault } from "@loopbox/core/accounts/CredentialVault"
import type { Posted } from "@loopbox/core/networks/InboundActivity"
import { AccountTokens } from "@loopbox/core/accounts/AccountTokens"
import { Ingest } from "@loopbox/core/inbox/Ingest"
import { IdempotencyKey } from "@loopbox/core/kernel/IdempotencyKey"
import { Replies } from "@loopbox/core/replies/Replies"
import * as ReplyWorker from "@loopbox/core/replies/ReplyWorker"
import { posted } from "@loopbox/testing/fixtures/activities"
import * as FakeMediaLinks from "@loopbox/testing/fakes/FakeMediaLinks"
import * as FakeConnector from "@loopbox/testing/fakes/FakeConnector"
import { FakeNetworks } from "@loopbox/testing/fakes/FakeConnector"
import { connect, idOf, ingest, listed, makeInboxWorkspace, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { assert, describe, it } from "@effect/vitest"
import { Context, DateTime, type Duration, Effect, Layer, Logger, Option, Redacted, Schedule } from "effect"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import { testDatabase } from "../../testDatabase.ts"

/** Opens whatever it is given: credentials are another test's. */
const anyVault = Layer.succeed(CredentialVault, {
  seal: () => Effect.succeed("sealed"),
  open: () =>
    Effect.succeed({ accessToken: Redacted.make("token"), refreshToken: Option.none(), expiresAt: Option.none() })
})

const services = (lease: Duration.Input) =>
  ReplyWorker.layer({ lease }).pipe(
    Layer.provideMerge(Layer.mergeAll(Replies.layer, InboxAccess.layer, Ingest.layer)),
    Layer.provideMerge(Layer.mergeAll(Access.layer, AccountTokens.layer))
  )

/** Two processes of one database, each answering requests and sending replies, before the same networks. */
const twoNodes = Effect.fnUntraced(function* (lease: Duration.Input) {
  const target = yield* testDatabase()
  const shared = yield* Layer.build(
    Layer.mergeAll(
      FakeConnector.layer,
      FakeMediaLinks.layer,
      SecureRandom.layerWebCrypto,
      Digest.layerWebCrypto,
      anyVault
    )
  )
  const node = Layer.build(
    Layer.fresh(services(lease)).pipe(
      Layer.provideMerge(PgAdapters.layerTarget(target, { migrate: false }).pipe(Layer.provideMerge(layerNetworks))),
      Layer.provideMerge(Layer.succeedContext(shared))
    )
  )
  return [yield* node, yield* node] as const
})

const on = <S, A, E, R>(node: Context.Context<S>, self: Effect.Effect<A, E, R>) => Effect.provideContext(self, node)

const makePlace = Effect.gen(function* () {
  const { id } = yield* makeInboxWorkspace()
  const account = yield* connect(id)
  yield* ingest(account, [posted()])
  const caller = yield* (yield* InboxAccess).enterEmbedded(id, Option.none())
  return { account, caller, scope: scopeOf(id), itemId: yield* idOf(scopeOf(id), "c1") }
})

describe("Two nodes that send replies", () => {
  it.live("post once for fifty requests with one key, and both tell the same, whoever is killed meanwhile", () =>
    Effect.gen(function* () {
      const [one, two] = yield* twoNodes("2 seconds")
      const { caller, itemId, scope } = yield* on(one, makePlace)
      const networks = Context.get(one, FakeNetworks)
      const posts: Array<Posted> = []
      networks.script = {
        sendReply: (_access, reply) =>
          Effect.map(DateTime.now, (receivedAt) => {
            const own = { externalId: `r${posts.length}`, threadKey: reply.target.threadKey, isOwn: true, receivedAt }
            const post = posted({ ...own, body: reply.text })
            posts.push(post)
            return { posted: post }
          }),
        findReply: () => Effect.succeed({ _tag: "Candidates", posted: posts })
      }
      const kill = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`
      })
      yield* Effect.forkChild(
        Effect.repeat(on(two, Effect.ignore(kill)), { times: 10, schedule: Schedule.spaced("15 millis") })
      )
      const idempotencyKey = Option.some(IdempotencyKey.make("k1"))
      const ask = Effect.gen(function* () {
        return yield* (yield* Replies).reply(caller, itemId, { text: "Yes", idempotencyKey })
      }).pipe(
        Effect.retry({
          while: (error) => error._tag === "StoreUnavailable",
          schedule: Schedule.spaced("20 millis")
        })
      )
      const all = yield* Effect.forEach(
        Array.from({ length: 50 }, (_, n) => n),
        (n) => on(n % 2 === 0 ? one : two, ask),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(all.map(({ operation }) => operation.id)).size, 1)
      assert.isAtMost(posts.length, 1)
      // A connection that is cut may leave it open, or keep it from being sent: then its key sends it, or a look tells.
      yield* Effect.repeat(on(one, ask), {
        until: ({ operation }) => operation.state._tag === "Completed",
        schedule: Schedule.spaced("500 millis")
      })
      assert.strictEqual(posts.length, 1)
      assert.strictEqual((yield* on(two, listed(scope))).length, 2)
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([])))
  )

  it.live("hear at once of what is to be sent, and of what was", () =>
    Effect.gen(function* () {
      const [one, two] = yield* twoNodes("1 minute")
      const { caller, itemId } = yield* on(one, makePlace)
      const networks = Context.get(one, FakeNetworks)
      networks.script = {
        sendReply: (_access, reply) =>
          Effect.succeed({ posted: posted({ externalId: reply.operationId, isOwn: true, body: reply.text }) })
      }
      const ask = Effect.gen(function* () {
        return yield* (yield* Replies).reply(caller, itemId, { text: "Yes", idempotencyKey: Option.none() })
      })
      const outcomes = yield* Effect.forEach([one, two, one, two], (node) => on(node, ask))
      assert.deepStrictEqual(
        outcomes.map(({ operation }) => operation.state._tag),
        ["Completed", "Completed", "Completed", "Completed"]
      )
    }).pipe(Effect.scoped)
  )
})
