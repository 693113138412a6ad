import { Erasures } from "@loopbox/core/accounts/Erasures"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { noon } from "@loopbox/testing/fixtures/activities"
import { connect, inboxWorld, makeInboxWorkspace, redactNames } from "@loopbox/testing/fixtures/inboxFixtures"
import { addEndpoint, claimDue, later, makeDelivery, succeedAll } from "@loopbox/testing/fixtures/laneFixtures"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql"
import { leftOf } from "./leftOf.ts"
import { layerStores } from "../testDatabase.ts"

const page = { limit: 50, after: Option.none() }

const Named = Schema.Array(Schema.Struct({ rows: Schema.String }))

/** Rows of any table of webhook endpoints that have this text in them. */
const naming = Effect.fnUntraced(function* (text: string) {
  const sql = yield* SqlClient.SqlClient
  const found: Array<string> = []
  for (const table of ["outgoing_endpoints", "outgoing_secrets", "outgoing_deliveries"]) {
    const rows = yield* sql`SELECT t::text AS rows FROM ${sql(table)} t WHERE position(${text} IN t::text) > 0`
    found.push(...(yield* Schema.decodeUnknownEffect(Named)(rows)).map((row) => row.rows))
  }
  return found
})

/** A workspace of two users with an account each, an endpoint of all and one of each; every account had an event. */
const makeWorld = Effect.gen(function* () {
  yield* TestClock.setTime(later(noon, 60).epochMilliseconds)
  const queue = yield* OutgoingQueue
  const { id: workspaceId } = yield* makeInboxWorkspace()
  const users = [`ann-${workspaceId}`, `bob-${workspaceId}`] as const
  const endpoints = [yield* addEndpoint(workspaceId, noon)]
  const accounts: Array<Effect.Success<ReturnType<typeof connect>>> = []
  for (const user of users) {
    yield* (yield* ManagedUsers).put(workspaceId, user, noon)
    accounts.push(yield* connect(workspaceId, { owner: user, networkAccountId: user }))
    endpoints.push(yield* addEndpoint(workspaceId, noon, { externalUserId: Option.some(user) }))
  }
  const [all, ...own] = endpoints
  const position =
    (yield* queue.lagging(1_000, Option.some([workspaceId]))).find((one) => one.workspaceId === workspaceId)
      ?.position ?? 0
  const deliveries = yield* Effect.forEach(users, (user, n) =>
    Effect.forEach([all, own[n]], (endpoint) =>
      endpoint === undefined
        ? Effect.die(new Error("no endpoint"))
        : makeDelivery(endpoint, 100 + n, noon, {
            accountId: Option.fromUndefinedOr(accounts[n]?.id),
            externalUserId: Option.some(user),
            body: `{"external_user_id":"${user}"}`
          })
    )
  )
  assert.isTrue(yield* queue.append({ workspaceId, position }, position, deliveries.flat()))
  return { workspaceId, users, accounts, endpoints, deliveries: deliveries.flat() }
})

layer(inboxWorld(layerStores()))("Erasing webhook endpoints", (it) => {
  it.effect("leaves nothing of a managed user: neither endpoints, nor what any endpoint was sent of him", () =>
    Effect.gen(function* () {
      const store = yield* OutgoingEndpointStore
      const { endpoints, users, workspaceId } = yield* makeWorld
      const [ann, bob] = users
      assert.strictEqual((yield* naming(ann)).length, 3)
      assert.isTrue(yield* (yield* ManagedUsers).erase(workspaceId, ann, redactNames))
      const [all, , ofBob] = endpoints
      assert.deepStrictEqual(
        (yield* store.list(workspaceId, page)).items.map(({ id }) => id).toSorted(),
        [all?.id, ofBob?.id].toSorted()
      )
      assert.deepStrictEqual(yield* naming(ann), [])
      assert.strictEqual((yield* naming(bob)).length, 3)
      const due = (yield* claimDue(noon)).flatMap(({ deliveries }) => deliveries)
      assert.isTrue(due.every(({ externalUserId }) => Option.contains(externalUserId, bob)))
      assert.strictEqual(due.length, 2)
    })
  )

  it.effect("takes no endpoint for a managed user who is gone", () =>
    Effect.gen(function* () {
      const store = yield* OutgoingEndpointStore
      const { endpoints, users, workspaceId } = yield* makeWorld
      yield* (yield* ManagedUsers).erase(workspaceId, users[0], redactNames)
      const [, ofAnn] = endpoints
      if (ofAnn === undefined) return assert.fail("no endpoint")
      assert.isFalse(yield* store.create(ofAnn, "sealed"))
      assert.deepStrictEqual(yield* naming(users[0]), [])
    })
  )

  it.effect("leaves nothing of an account that was sent, and writes nothing of it any more", () =>
    Effect.gen(function* () {
      const queue = yield* OutgoingQueue
      const { accounts, deliveries, endpoints, workspaceId } = yield* makeWorld
      const [account] = accounts
      const [all] = endpoints
      if (account === undefined || all === undefined) return assert.fail("no account")
      yield* (yield* Erasures).erase({ workspaceId, accountId: account.id }, redactNames)
      const ofIt = deliveries.filter(({ accountId }) => Option.contains(accountId, account.id))
      assert.deepStrictEqual(yield* leftOf(workspaceId, account.id), ["events"])
      yield* queue.replay(ofIt)
      assert.deepStrictEqual(yield* leftOf(workspaceId, account.id), ["events"])
      const told = yield* makeDelivery(all, 200, noon, {
        eventType: "inbox.account_moved",
        accountId: Option.some(account.id)
      })
      assert.strictEqual(yield* queue.replay([told]), 1)
    })
  )

  it.effect("leaves nothing of a workspace, and writes nothing for it any more", () =>
    Effect.gen(function* () {
      const queue = yield* OutgoingQueue
      const { deliveries, workspaceId } = yield* makeWorld
      const claims = (yield* claimDue(noon)).filter(({ lane }) => lane.workspaceId === workspaceId)
      assert.isAbove(claims.length, 0)
      assert.isTrue(yield* (yield* Workspaces).erase(workspaceId, redactNames))
      for (const claim of claims) assert.isTrue((yield* succeedAll(claim, noon)).every(Result.isFailure))
      assert.strictEqual(yield* queue.replay(deliveries), 0)
      assert.isFalse(yield* queue.append({ workspaceId, position: 0 }, 1, deliveries))
      assert.deepStrictEqual(yield* leftOf(workspaceId), [])
    })
  )

  it.effect("removes an endpoint's deliveries with it, and old ones of others by their time, but none that waits", () =>
    Effect.gen(function* () {
      const [queue, store] = [yield* OutgoingQueue, yield* OutgoingEndpointStore]
      const { endpoints, workspaceId } = yield* makeWorld
      const [all, ofAnn] = endpoints
      if (all === undefined || ofAnn === undefined) return assert.fail("no endpoint")
      assert.isTrue(yield* store.remove(workspaceId, ofAnn.id))
      assert.deepStrictEqual((yield* naming(ofAnn.id)).length, 0)
      const claim = (yield* claimDue(noon)).find(({ lane }) => lane.endpointId === all.id)
      if (claim === undefined) return assert.fail("nothing to claim")
      assert.strictEqual(claim.deliveries.length, 2)
      yield* succeedAll({ ...claim, deliveries: claim.deliveries.slice(0, 1) }, noon)
      yield* queue.removeOlder(DateTime.add(noon, { seconds: 1 }), 1_000)
      const left = yield* store.deliveries(workspaceId, all.id, Option.none(), page)
      assert.deepStrictEqual(
        left.items.map(({ status }) => status),
        ["pending"]
      )
    })
  )
})
