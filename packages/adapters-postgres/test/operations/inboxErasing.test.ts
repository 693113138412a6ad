import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { eraseDue } from "@loopbox/core/accounts/eraseDue"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { AuthorProfiles } from "@loopbox/core/inbox/AuthorProfiles"
import { accountsErased } from "@loopbox/core/items/decideAccount"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { InboxStore, noFilter } from "@loopbox/core/inbox/InboxStore"
import { UnreadCounters } from "@loopbox/core/inbox/UnreadCounters"
import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { deleted, edited, noon, posted } from "@loopbox/testing/fixtures/activities"
import {
  connect,
  eventsAfter,
  ingest,
  listed,
  makeInboxWorkspace,
  redactNames,
  scopeOf,
  walk
} from "@loopbox/testing/fixtures/inboxFixtures"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import { fillSyncs } from "../stores/sync/syncRows.ts"
import { layerStores } from "../testDatabase.ts"
import { leftOf } from "./leftOf.ts"

const nameless = (externalId: string) =>
  posted({ externalId, author: { id: Option.some("psid"), name: Option.none(), username: Option.none() } })

/** What webhooks call an account of an owner. */
const nameOf = (workspaceId: WorkspaceId, owner: string) => `${owner} of ${workspaceId}`

/** An account with a row of every kind, done of one delivery. */
const fill = Effect.fnUntraced(function* (workspaceId: WorkspaceId, owner: string, deliveryId: string) {
  const account = yield* connect(workspaceId, { owner, networkAccountId: nameOf(workspaceId, owner), username: owner })
  const activities = [posted({ externalId: "a" }), nameless("b"), edited(1, "c", { externalId: "c" }), deleted()]
  yield* ingest(account, activities, { completes: [deliveryId] })
  yield* fillSyncs(account)
  return account
})

const deliver = Effect.fnUntraced(function* (...names: ReadonlyArray<string>) {
  const id = yield* (yield* SecureRandom.SecureRandom).uuidV7()
  const body = new TextEncoder().encode(names.join(","))
  yield* (yield* WebhookDeliveries).store({ id, endpoint: "meta", body, arrivedAt: noon }, noon)
  return id
})

const settle = Effect.fnUntraced(function* (limit: number) {
  const deliveries = yield* WebhookDeliveries
  const leaseUntil = DateTime.add(noon, { minutes: 1 })
  const claims = yield* deliveries.claim({ limit, token: "token", leaseNow: noon, leaseUntil })
  for (const claim of claims) yield* deliveries.settle(claim, { _tag: "Done" }, noon)
})

const KeptDelivery = Schema.Struct({ id: Schema.String, body: Schema.String })

const keptDeliveries = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`SELECT id, convert_from(body, 'UTF8') AS body FROM webhook_deliveries ORDER BY id`
  return (yield* Schema.decodeUnknownEffect(Schema.Array(KeptDelivery))(rows)).map(({ body, id }) => [id, body])
})

const world = Layer.merge(layerStores(), SecureRandom.layerWebCrypto)

layer(world, { excludeTestServices: true })("Erasing", (it) => {
  it.effect("a workspace leaves nothing of it anywhere, and its neighbour as it was", () =>
    Effect.gen(function* () {
      const [here, there] = [yield* makeInboxWorkspace(), yield* makeInboxWorkspace()]
      const ours = (owner: string) => nameOf(here.id, owner)
      const theirs = (owner: string) => nameOf(there.id, owner)
      const mine = yield* deliver(ours("u1"))
      const shared = yield* deliver(ours("u2"), theirs("u1"))
      const yours = yield* deliver(theirs("u2"))
      const open = yield* deliver(ours("u3"))
      yield* fill(here.id, "u1", mine)
      yield* fill(here.id, "u2", shared)
      yield* fill(there.id, "u1", shared)
      yield* fill(there.id, "u2", yours)
      yield* settle(3)
      yield* fill(here.id, "u3", open)
      const before = yield* leftOf(there.id)
      assert.isTrue(yield* (yield* Workspaces).erase(here.id, redactNames))
      assert.deepStrictEqual(yield* leftOf(here.id), [])
      const kept = [
        [shared, theirs("u1")],
        [yours, theirs("u2")]
      ]
      assert.deepStrictEqual(yield* keptDeliveries, kept)
      assert.deepStrictEqual(yield* leftOf(there.id), before)
      assert.deepStrictEqual(yield* (yield* UnreadCounters).compare({ repair: false }), [])
    })
  )

  it.effect(
    "a managed user leaves nothing of its accounts but the word of their end, and the others' as they were",
    () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const gone = yield* fill(id, "u1", yield* deliver(nameOf(id, "u1")))
        const kept = yield* fill(id, "u2", yield* deliver(nameOf(id, "u2")))
        yield* settle(10)
        const before = yield* leftOf(id, kept.id)
        assert.isTrue(yield* (yield* ManagedUsers).erase(id, "u1", redactNames))
        assert.deepStrictEqual(yield* leftOf(id, gone.id), ["events"])
        const ofIt = (yield* eventsAfter(id)).filter(({ event }) => "accountId" in event && event.accountId === gone.id)
        assert.deepStrictEqual(
          ofIt.map(({ event }) => event),
          accountsErased([gone.id])
        )
        assert.deepStrictEqual(yield* leftOf(id, kept.id), before)
      })
  )

  it.effect("is finished by the sweeper when it was cut off", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* makeInboxWorkspace()
      const [first, second] = [yield* deliver(nameOf(id, "u1")), yield* deliver(nameOf(id, "u2"))]
      const account = yield* fill(id, "u1", first)
      const other = yield* fill(id, "u2", second)
      yield* sql`UPDATE social_accounts SET status = 'disconnected', disconnected_at = now(), erased_at = now()
        WHERE workspace_id = ${id}`
      yield* sql`DELETE FROM account_routes WHERE workspace_id = ${id}`
      const accounts = yield* SocialAccounts
      assert.deepStrictEqual((yield* accounts.list(id, { limit: 1, after: Option.none() })).items, [])
      // The same account can be connected meanwhile: then what it was told is the new connection's, too.
      yield* connect(id, { networkAccountId: nameOf(id, "u1") })
      const before = DateTime.subtract(noon, { days: 9_000 })
      yield* eraseDue(before, redactNames)
      for (const gone of [account, other]) assert.deepStrictEqual(yield* leftOf(id, gone.id), [])
      const kept = (yield* keptDeliveries).filter(([name]) => name === first || name === second)
      assert.deepStrictEqual(kept, [[first, nameOf(id, "u1")]])
    })
  )

  it.effect("of an account while units are stored leaves none of them behind", () =>
    Effect.gen(function* () {
      const { id } = yield* makeInboxWorkspace()
      const account = yield* connect(id, { owner: "u1" })
      const units = Array.from({ length: 40 }, (_, n) =>
        Effect.result(ingest(account, [posted({ externalId: `a${n}` }), nameless(`b${n}`)]))
      )
      const erase = Effect.andThen(Effect.sleep("20 millis"), (yield* ManagedUsers).erase(id, "u1", redactNames))
      const [results] = yield* Effect.all([Effect.all(units, { concurrency: 8 }), erase], { concurrency: 2 })
      const refused = results.filter((result) => result._tag === "Failure").map(({ failure }) => failure._tag)
      assert.isTrue(refused.every((tag) => tag === "AccountGone"))
      assert.deepStrictEqual(yield* leftOf(id, account.id), ["events"])
      assert.deepStrictEqual(
        (yield* eventsAfter(id)).map(({ event }) => event),
        accountsErased([account.id])
      )
    })
  )
})

layer(world, { excludeTestServices: true })("Under concurrency", (it) => {
  it.effect("no item of an author stays without the name that was told meanwhile", () =>
    Effect.gen(function* () {
      const { id } = yield* makeInboxWorkspace()
      const account = yield* connect(id)
      const profiles = yield* AuthorProfiles
      yield* ingest(account, [nameless("first")])
      const request = { limit: 1, token: "t", leaseNow: noon, leaseUntil: DateTime.add(noon, { minutes: 1 }) }
      const [claim] = yield* profiles.claim(request)
      if (claim === undefined) return yield* Effect.die(new Error("nothing to claim"))
      const person = { name: Option.some("Ann"), avatarUrl: Option.none() }
      yield* Effect.all(
        [
          ...Array.from({ length: 30 }, (_, n) => ingest(account, [nameless(`n${n}`)])),
          Effect.andThen(Effect.sleep("10 millis"), profiles.settle(claim, { _tag: "Known", person }, noon))
        ],
        { concurrency: 9, discard: true }
      )
      const names = (yield* walk(scopeOf(id))).map(({ authorName }) => Option.getOrNull(authorName))
      assert.deepStrictEqual(new Set(names), new Set(["Ann"]))
    })
  )

  it.effect("a walk passes over a disconnected account's items, however many there are", () =>
    Effect.gen(function* () {
      const { id } = yield* makeInboxWorkspace()
      const [hidden, shown] = [yield* connect(id), yield* connect(id, { networkAccountId: "other" })]
      const at = (n: number) => ({ externalId: `c${n}`, receivedAt: DateTime.add(noon, { minutes: n }) })
      yield* ingest(
        hidden,
        Array.from({ length: 100 }, (_, n) => posted(at(n + 10)))
      )
      yield* ingest(
        shown,
        Array.from({ length: 4 }, (_, n) => posted(at(n)))
      )
      yield* (yield* SocialAccounts).disconnect(id, hidden.id, noon)
      const page = yield* (yield* InboxStore).list(scopeOf(id), { ...noFilter, limit: 2, after: Option.none() })
      assert.isTrue(page.items.length === 0 && Option.isSome(page.next))
      assert.deepStrictEqual(yield* listed(scopeOf(id), { limit: 2 }), ["c3", "c2", "c1", "c0"])
      assert.deepStrictEqual(yield* listed(scopeOf(id), { limit: 2, isOwn: Option.some(false) }), [
        "c3",
        "c2",
        "c1",
        "c0"
      ])
    })
  )

  it.effect("of two sweeps of events at once nothing is removed that is young", () =>
    Effect.gen(function* () {
      const events = yield* InboxEvents
      const { id } = yield* makeInboxWorkspace()
      const account = yield* connect(id)
      const old = DateTime.subtract(noon, { days: 3 })
      for (const n of [1, 2, 3]) yield* ingest(account, [posted({ externalId: `o${n}` })], { now: old })
      yield* ingest(account, [posted({ externalId: "young" })])
      const before = DateTime.subtract(noon, { days: 1 })
      yield* Effect.all([events.removeOlder(before, 2), events.removeOlder(before, 2)], { concurrency: 2 })
      yield* events.removeOlder(before, 10)
      assert.deepStrictEqual(yield* events.range(id), { last: 4, removed: 3 })
    })
  )
})
