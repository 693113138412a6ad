import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { AccountHealthStore } from "@loopbox/core/health/AccountHealthStore"
import { AuthorProfiles } from "@loopbox/core/inbox/AuthorProfiles"
import type { LeaseRequest } from "@loopbox/core/kernel/lease/claimLoop"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { posted } from "@loopbox/testing/fixtures/activities"
import { connect, inboxEpoch, inboxWorld, ingest, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { makeOperation } from "@loopbox/testing/fixtures/outboundFixtures"
import { makeKeptPost } from "@loopbox/testing/fixtures/postFixtures"
import { makeQueued, makeWorkspace } from "@loopbox/testing/fixtures/storeFixtures"
import { syncWorld } from "@loopbox/testing/fixtures/syncFixtures"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { layerStores } from "../testDatabase.ts"

/** A claim of several; the lease is shorter than the pause of what cannot be read. */
const requestAt = (leaseNow: DateTime.Utc, token: string): LeaseRequest => ({
  limit: 10,
  token,
  leaseNow,
  leaseUntil: DateTime.add(leaseNow, { seconds: 15 })
})

/** Claims thrice: the second finds nothing, and after the pause it is there for a version that can read it. */
const leavesTheNewer = Effect.fnUntraced(function* <A, E, R>(
  now: DateTime.Utc,
  claim: (request: LeaseRequest) => Effect.Effect<ReadonlyArray<A>, E, R>,
  mend: Effect.Effect<unknown, unknown, R>
) {
  const held = yield* claim(requestAt(now, "first"))
  assert.strictEqual(held.length, 1)
  assert.deepStrictEqual(yield* claim(requestAt(DateTime.add(now, { seconds: 14 }), "second")), [])
  yield* mend
  const later = yield* claim(requestAt(DateTime.add(now, { seconds: 61 }), "third"))
  assert.strictEqual(later.length, 2)
  return later
})

layer(inboxWorld(layerStores()), { excludeTestServices: true })("a row of a newer version in a queue", (it) => {
  it.effect("is passed over by the claim of deliveries, and counts no attempt (store H4)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const deliveries = yield* WebhookDeliveries
      const now = yield* inboxEpoch
      const body = Uint8Array.of(1)
      for (const id of ["newer", "known"]) yield* deliveries.store({ id, endpoint: "meta", body, arrivedAt: now }, now)
      yield* sql`UPDATE webhook_deliveries SET endpoint = '' WHERE id = 'newer'`
      const mend = sql`UPDATE webhook_deliveries SET endpoint = 'meta' WHERE id = 'newer'`
      const later = yield* leavesTheNewer(now, deliveries.claim, mend)
      assert.deepStrictEqual(new Map(later.map(({ attempts, delivery }) => [delivery.id, attempts])).get("newer"), 0)
    })
  )

  it.effect("is passed over by the claim of conversions, and counts no attempt (store H4)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* ConversionStore
      const now = yield* inboxEpoch
      const workspace = yield* makeWorkspace("team", now)
      const { id } = yield* makeQueued(workspace.id, now)
      yield* makeQueued(workspace.id, DateTime.add(now, { seconds: 1 }))
      yield* sql`UPDATE media_jobs SET background_color = 'novel' WHERE id = ${id}`
      const claim = (leaseNow: DateTime.Utc) =>
        Effect.map(store.claim({ ...requestAt(leaseNow, `${leaseNow}`), now: leaseNow, maxAttempts: 3 }), (outcome) =>
          outcome._tag === "Claimed" ? Option.some(outcome.claim.job) : Option.none()
        )
      const first = Option.getOrThrow(yield* claim(DateTime.add(now, { seconds: 1 })))
      assert.notStrictEqual(first.id, id)
      yield* sql`UPDATE media_jobs SET background_color = '#FFFFFF' WHERE id = ${id}`
      assert.deepStrictEqual(yield* claim(DateTime.add(now, { seconds: 15 })), Option.none())
      yield* sql`UPDATE media_jobs SET claimable_at = ${DateTime.toDateUtc(DateTime.add(now, { days: 9 }))}
        WHERE id = ${first.id}`
      const mended = Option.getOrThrow(yield* claim(DateTime.add(now, { seconds: 62 })))
      assert.deepStrictEqual([mended.id, mended.attempts], [id, 1])
    })
  )

  it.effect("is passed over by the claim of replies (store H4)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* OutboundStore
      const now = yield* inboxEpoch
      const account = yield* connect((yield* makeInboxWorkspace(now)).id, { at: now })
      const [newer] = yield* Effect.forEach([1, 2], () =>
        Effect.flatMap(makeOperation(account, now), (operation) =>
          store.submit(operation, () => Result.succeed(operation))
        )
      )
      const tag = (name: string) => sql`UPDATE outbound_operations
        SET operation = jsonb_set(operation, '{state,_tag}', ${JSON.stringify(name)}::jsonb)
        WHERE id = ${newer?.id ?? ""}`
      yield* tag("Novel")
      const claim = (request: LeaseRequest) =>
        store.claim({ ...request, sources: ["ig_comment"], now: request.leaseNow })
      yield* leavesTheNewer(now, claim, tag("Waiting"))
    })
  )

  it.effect("is passed over by the claim of polls (store H4)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { add, now, polls, start } = yield* syncWorld
      const newer = yield* add({ networkAccountId: "a" })
      yield* add({ networkAccountId: "b" })
      yield* start()
      yield* sql`UPDATE account_polls SET state = '{"novel": true}' WHERE account_id = ${newer.id}`
      const claim = (request: LeaseRequest) =>
        polls.claim({ ...request, network: "instagram", isAutomatic: false, now: request.leaseNow })
      yield* leavesTheNewer(now, claim, sql`UPDATE account_polls SET state = NULL WHERE account_id = ${newer.id}`)
    })
  )

  it.effect("is passed over by the claim of profiles (store H4)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const profiles = yield* AuthorProfiles
      const now = yield* inboxEpoch
      const account = yield* connect((yield* makeInboxWorkspace(now)).id, { at: now })
      const author = (id: string) => ({ id: Option.some(id), name: Option.none(), username: Option.none() })
      const people = ["newer", "known"].map((id) =>
        posted({ source: "ig_dm", externalId: id, threadKey: id, author: author(id) })
      )
      yield* ingest(account, people, { now })
      yield* sql`UPDATE author_profiles SET source = '' WHERE person_id = 'newer' AND account_id = ${account.id}`
      const mend = sql`UPDATE author_profiles SET source = 'ig_dm'
        WHERE person_id = 'newer' AND account_id = ${account.id}`
      yield* leavesTheNewer(now, profiles.claim, mend)
    })
  )

  it.effect("is passed over by the claim of posts' targets (store H4)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const posts = yield* PostStore
      const now = yield* inboxEpoch
      const { id } = yield* makeInboxWorkspace(now)
      const accounts = yield* Effect.forEach(["a", "b"], (networkAccountId) =>
        connect(id, { networkAccountId, at: now })
      )
      const kept = yield* makeKeptPost(id, accounts, now)
      yield* posts.submit({ workspaceId: id, idempotencyKey: Option.none() }, () => Result.succeed(kept))
      const tag = (name: string) => sql`UPDATE post_targets
        SET target = jsonb_set(target, '{state,_tag}', ${JSON.stringify(name)}::jsonb) WHERE id = ${kept.targets[0]?.id ?? ""}`
      yield* tag("Novel")
      const claim = (request: LeaseRequest) =>
        posts.claim({ ...request, networks: ["instagram"], now: request.leaseNow })
      yield* leavesTheNewer(now, claim, tag("Waiting"))
    })
  )

  it.effect("is passed over by the claim of accounts that are checked (store H4)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const health = yield* AccountHealthStore
      const now = yield* inboxEpoch
      const { id } = yield* makeInboxWorkspace(now)
      const [newer, known] = [yield* connect(id, { networkAccountId: "a", at: now }), yield* connect(id, { at: now })]
      const told = (code: string) => sql`UPDATE account_health
        SET poll_failures = ${`[{"code": "${code}", "retryAt": {"_tag": "None"}}]`}::jsonb WHERE account_id = ${newer.id}`
      yield* told("novel")
      const claim = (request: LeaseRequest) =>
        Effect.map(health.claim({ ...request, now: request.leaseNow }), (all) =>
          all.filter(({ account }) => account.id === newer.id || account.id === known.id)
        )
      yield* leavesTheNewer(now, claim, told("rate_limited"))
    })
  )
})
