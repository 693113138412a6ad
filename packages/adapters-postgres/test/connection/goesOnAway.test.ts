import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { Erasures } from "@loopbox/core/accounts/Erasures"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { AccountHealthStore } from "@loopbox/core/health/AccountHealthStore"
import { UnreadCounters } from "@loopbox/core/inbox/UnreadCounters"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { posted } from "@loopbox/testing/fixtures/activities"
import { connect, inboxEpoch, ingest, newAccount, redactNames, sealAs } from "@loopbox/testing/fixtures/inboxFixtures"
import { makeQueued } from "@loopbox/testing/fixtures/storeFixtures"
import { assert } from "@effect/vitest"
import { DateTime, Duration, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { apart, awayFor, isCluster, worldOfItsOwn } from "../awayNode.ts"

const afterAll = DateTime.makeUnsafe("2100-01-01")

const skipped = "LOOPBOX_TEST_CITUS names no distributed database"

worldOfItsOwn()("While a node is away, what is counted over all workspaces", (it) => {
  it.effect("is of those that can be reached: queues, the list of workspaces, the comparison of counters", (ctx) =>
    Effect.gen(function* () {
      if (!isCluster()) return ctx.skip(skipped)
      const now = yield* inboxEpoch
      const { away, first, other } = yield* apart
      const counters = yield* UnreadCounters
      const sql = yield* SqlClient.SqlClient
      for (const { id } of [first, other]) {
        yield* makeQueued(id, now)
        yield* ingest(yield* connect(id), [posted({})])
        yield* sql`UPDATE unread_counters SET unread = 7 WHERE workspace_id = ${id}`
      }
      const queued = Effect.flatMap(ConversionStore, ({ depth }) => Effect.map(depth, ({ counts }) => counts.queued))
      const listed = Effect.flatMap(Workspaces, (store) =>
        Effect.map(store.list({ limit: 50, after: Option.none() }), ({ items }) => items.map(({ id }) => id))
      )
      const wrong = Effect.map(counters.compare({ repair: false }), (drifts) =>
        drifts.map(({ workspaceId }) => workspaceId)
      )
      // After the comparison that a migration notes; a test's own time lies years before it where many ran.
      const due = (minutes: number) =>
        Effect.map(
          counters.compareDue({ now: DateTime.add(afterAll, { minutes }), every: Duration.days(1) }),
          Option.map((drifts) => drifts.length)
        )
      yield* awayFor(
        away,
        Effect.gen(function* () {
          assert.strictEqual(yield* queued, 1)
          yield* (yield* OutboundStore).depth
          yield* (yield* PostStore).depth
          yield* (yield* OutgoingQueue).depth
          const there = yield* listed
          assert.deepStrictEqual([there.includes(first.id), there.includes(other.id)], [false, true])
          assert.deepStrictEqual(yield* wrong, [other.id])
          assert.deepStrictEqual(yield* due(0), Option.some(1))
          assert.deepStrictEqual(yield* due(59), Option.none())
        })
      )
      // Not a day later, for not all were compared.
      assert.deepStrictEqual(yield* due(61), Option.some(2))
      assert.strictEqual(yield* queued, 2)
      assert.includeMembers(yield* listed, [first.id, other.id])
    })
  )
})

worldOfItsOwn()("While a node is away, accounts of workspaces on the others", (it) => {
  it.effect("are connected, disconnected and erased with what webhooks say to them", (ctx) =>
    Effect.gen(function* () {
      if (!isCluster()) return ctx.skip(skipped)
      const [accounts, erasures] = [yield* SocialAccounts, yield* Erasures]
      const deliveries = yield* WebhookDeliveries
      const sql = yield* SqlClient.SqlClient
      const now = yield* inboxEpoch
      const { away, other } = yield* apart
      const account = yield* connect(other.id, { networkAccountId: "erased here" })
      yield* awayFor(
        away,
        Effect.gen(function* () {
          const second = yield* connect(other.id, { networkAccountId: "connected meanwhile" })
          assert.isTrue(yield* accounts.disconnect(other.id, second.id, now))
          for (const text of ["erased here", "erased here,another"]) {
            const body = new TextEncoder().encode(text)
            yield* deliveries.store({ id: `says ${text}`, endpoint: "meta", body, arrivedAt: now }, now)
          }
          yield* erasures.erase({ workspaceId: other.id, accountId: account.id }, redactNames)
          assert.isFalse(yield* erasures.isLeft({ workspaceId: other.id, accountId: account.id }))
          assert.deepStrictEqual(yield* sql`SELECT convert_from(body, 'UTF8') AS body FROM webhook_deliveries`, [
            { body: "another" }
          ])
        })
      )
    })
  )
})

worldOfItsOwn()("While a node is away, what a person has connected", (it) => {
  it.effect("is found on the others, with word that there may be more, and not said to be nowhere else", (ctx) =>
    Effect.gen(function* () {
      if (!isCluster()) return ctx.skip(skipped)
      const accounts = yield* SocialAccounts
      const health = yield* AccountHealthStore
      const { away, first, other } = yield* apart
      const person = `person of ${other.id}`
      const admit = Effect.fnUntraced(function* (workspaceId: WorkspaceId, networkAccountId: string) {
        const account = Object.assign(yield* newAccount(workspaceId, { networkAccountId }), { personIds: [person] })
        const revivableSince = DateTime.subtract(account.createdAt, { days: 7 })
        yield* accounts.admit({ account, seal: sealAs("sealed"), expected: Option.none(), revivableSince })
        return account
      })
      const gone = yield* admit(first.id, "on the node that goes away")
      const one = yield* admit(other.id, "one on the others")
      const found = Effect.map(accounts.findOfPerson([one.network], person), ({ accounts, missing }) => ({
        ids: accounts.map(({ accountId }) => accountId).toSorted(),
        isWhole: Option.isNone(missing)
      }))
      yield* awayFor(
        away,
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* found, { ids: [one.id], isWhole: false })
          assert.strictEqual((yield* Effect.flip(health.isPersonElsewhere(one)))._tag, "StoreUnavailable")
          yield* admit(other.id, "another on the others")
          assert.isTrue(yield* health.isPersonElsewhere(one))
        })
      )
      const all = yield* found
      assert.isTrue(all.isWhole && all.ids.includes(gone.id))
    })
  )
})
