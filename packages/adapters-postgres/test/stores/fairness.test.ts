import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { PollStore } from "@loopbox/core/sync/PollStore"
import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { connect, inboxEpoch, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { addEndpoint, makeDelivery } from "@loopbox/testing/fixtures/laneFixtures"
import { makeOperation } from "@loopbox/testing/fixtures/outboundFixtures"
import { claimAt, makeQueued } from "@loopbox/testing/fixtures/storeFixtures"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Result } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import { LooksBehind } from "../../src/rows/fairTurns.ts"
import { numbered } from "./copies.ts"
import { layerStores } from "../testDatabase.ts"

const waiting = 10_000

/** Copies the one row of a workspace, with other values for these columns; `n` is the number of the copy. */
const copy = Effect.fnUntraced(function* (
  table: string,
  workspaceId: WorkspaceId,
  columns: Readonly<Record<string, string>>
) {
  const sql = yield* SqlClient.SqlClient
  const changes = Object.entries(columns).map(([name, value]) => `'${name}', ${value}`)
  yield* sql.unsafe(
    // Made once for each row: written as (…).* alone, it would be made once for each column.
    `INSERT INTO ${table} SELECT (c.made).* FROM (SELECT jsonb_populate_record(NULL::${table},
        to_jsonb(r) || jsonb_build_object(${changes.join(", ")})) AS made
      FROM ${table} r, generate_series(1, ${waiting}) n WHERE r.workspace_id = $1 OFFSET 0) c`,
    [workspaceId]
  )
  yield* sql.unsafe(`ANALYZE ${table}`)
})

const leaseOf = (now: DateTime.Utc, token: string) => ({
  limit: 1,
  token,
  now,
  leaseNow: now,
  leaseUntil: DateTime.add(now, { hours: 1 })
})

layer(Layer.merge(layerStores(), SecureRandom.layerWebCrypto), { excludeTestServices: true })(
  "While a workspace has 10,000 waiting, another's first",
  (it) => {
    it.effect("media job is the next one", () =>
      Effect.gen(function* () {
        const now = yield* inboxEpoch
        const [busy, other] = [yield* makeInboxWorkspace(now), yield* makeInboxWorkspace(now)]
        yield* makeQueued(busy.id, now)
        yield* copy("media_jobs", busy.id, { id: numbered("id"), idempotency_key: "NULL" })
        const claim = Effect.map(claimAt(DateTime.add(now, { minutes: 1 })), (outcome) =>
          outcome._tag === "Claimed" ? outcome.claim.job.workspaceId : outcome._tag
        )
        assert.strictEqual(yield* claim, busy.id)
        yield* makeQueued(other.id, DateTime.add(now, { seconds: 30 }))
        assert.strictEqual(yield* claim, other.id)
        assert.strictEqual(yield* claim, busy.id)
      }).pipe(Effect.provideService(LooksBehind, 1))
    )

    it.effect("reply is the next one", () =>
      Effect.gen(function* () {
        const store = yield* OutboundStore
        const now = yield* inboxEpoch
        const submit = Effect.fnUntraced(function* (at: DateTime.Utc) {
          const account = yield* connect((yield* makeInboxWorkspace(at)).id, { at })
          const operation = yield* makeOperation(account, at, { key: "k" })
          yield* store.submit(operation, () => Result.succeed(operation))
          return operation
        })
        const { source, workspaceId: busy } = yield* submit(now)
        yield* copy("outbound_operations", busy, {
          id: numbered("id"),
          idempotency_key: "'key-' || n",
          operation: `r.operation || jsonb_build_object('id', ${numbered("id")})`
        })
        const later = DateTime.add(now, { seconds: 20 })
        const claim = (token: string) =>
          Effect.map(store.claim({ ...leaseOf(later, token), sources: [source] }), (claims) =>
            claims.map(({ operation }) => operation.workspaceId)
          )
        assert.deepStrictEqual(yield* claim("a"), [busy])
        const { workspaceId: other } = yield* submit(DateTime.add(now, { seconds: 10 }))
        assert.deepStrictEqual(yield* claim("b"), [other])
        assert.deepStrictEqual(yield* claim("c"), [busy])
      }).pipe(Effect.provideService(LooksBehind, 1))
    )

    it.effect("poll is the next one", () =>
      Effect.gen(function* () {
        const store = yield* PollStore
        const now = yield* inboxEpoch
        const add = Effect.fnUntraced(function* (at: DateTime.Utc) {
          return (yield* connect((yield* makeInboxWorkspace(at)).id, { at })).workspaceId
        })
        const busy = yield* add(now)
        yield* copy("account_polls", busy, { account_id: numbered("account_id") })
        yield* copy("social_accounts", busy, { id: numbered("id"), network_account_id: "'n' || n" })
        const later = DateTime.add(now, { seconds: 20 })
        const claim = (token: string) =>
          Effect.map(store.claim({ ...leaseOf(later, token), network: "instagram", isAutomatic: true }), (claims) =>
            claims.map(({ workspaceId }) => workspaceId)
          )
        assert.deepStrictEqual(yield* claim("a"), [busy])
        const other = yield* add(DateTime.add(now, { seconds: 10 }))
        assert.deepStrictEqual(yield* claim("b"), [other])
        assert.deepStrictEqual(yield* claim("c"), [busy])
      }).pipe(Effect.provideService(LooksBehind, 1))
    )

    it.effect("webhook of a network is the next one", () =>
      Effect.gen(function* () {
        const [deliveries, sql] = [yield* WebhookDeliveries, yield* SqlClient.SqlClient]
        const now = yield* inboxEpoch
        const storeOf = Effect.fnUntraced(function* (value: string, at: DateTime.Utc) {
          yield* connect((yield* makeInboxWorkspace(at)).id, { networkAccountId: value, at })
          const delivery = {
            id: `${value}-00000`,
            endpoint: "meta",
            body: new TextEncoder().encode(value),
            arrivedAt: at
          }
          yield* deliveries.store(delivery, at, [{ network: "instagram", by: "id", value }])
        })
        yield* storeOf("busy", now)
        yield* sql`INSERT INTO webhook_deliveries SELECT (c.made).* FROM (SELECT jsonb_populate_record(r,
            jsonb_build_object('id', 'busy-' || lpad(n::text, 5, '0'))) AS made
          FROM webhook_deliveries r, generate_series(1, ${waiting}::int) n WHERE r.id = 'busy-00000' OFFSET 0) c`
        const later = DateTime.add(now, { seconds: 20 })
        const claim = (token: string) =>
          Effect.map(deliveries.claim(leaseOf(later, token)), (claims) => claims.map(({ delivery }) => delivery.id))
        assert.deepStrictEqual(yield* claim("a"), ["busy-00000"])
        yield* storeOf("other", DateTime.add(now, { seconds: 10 }))
        assert.deepStrictEqual(yield* claim("b"), ["other-00000"])
        assert.deepStrictEqual(yield* claim("c"), ["busy-00001"])
      })
    )

    /** A workspace with an endpoint that something waits for. */
    const addWaiting = Effect.fnUntraced(function* (at: DateTime.Utc) {
      const { id: workspaceId } = yield* makeInboxWorkspace(at)
      const endpoint = yield* addEndpoint(workspaceId, at)
      const queue = yield* OutgoingQueue
      yield* queue.append({ workspaceId, position: 0 }, 1, [yield* makeDelivery(endpoint, 1, at)])
      return workspaceId
    })

    it.effect("delivery to a webhook endpoint is the next one", () =>
      Effect.gen(function* () {
        const queue = yield* OutgoingQueue
        const now = yield* inboxEpoch
        const busy = yield* addWaiting(now)
        yield* copy("outgoing_deliveries", busy, { id: numbered("id"), event_seq: "n + 1", message_id: "'m-' || n" })
        const later = DateTime.add(now, { seconds: 20 })
        const claim = (token: string) =>
          Effect.map(queue.claim({ ...leaseOf(later, token), perLane: 16 }), (claims) =>
            claims.map(({ deliveries, lane }) => [lane.workspaceId, deliveries.length])
          )
        assert.deepStrictEqual(yield* claim("a"), [[busy, 16]])
        const other = yield* addWaiting(DateTime.add(now, { seconds: 10 }))
        assert.deepStrictEqual(yield* claim("b"), [[other, 1]])
        // One worker has the endpoint: nobody else sends to it.
        assert.deepStrictEqual(yield* claim("c"), [])
      })
    )

    it.effect("delivery is the next one, though it has as many endpoints", () =>
      Effect.gen(function* () {
        const queue = yield* OutgoingQueue
        const now = yield* inboxEpoch
        const busy = yield* addWaiting(now)
        yield* copy("outgoing_endpoints", busy, { id: numbered("id") })
        yield* copy("outgoing_lanes", busy, { endpoint_id: numbered("endpoint_id") })
        yield* copy("outgoing_deliveries", busy, { id: numbered("id"), endpoint_id: numbered("endpoint_id") })
        const later = DateTime.add(now, { seconds: 20 })
        const claim = (token: string) =>
          Effect.map(queue.claim({ ...leaseOf(later, token), perLane: 16 }), (claims) =>
            claims.map(({ lane }) => lane.workspaceId)
          )
        assert.deepStrictEqual(yield* claim("a"), [busy])
        const other = yield* addWaiting(DateTime.add(now, { seconds: 10 }))
        assert.deepStrictEqual(yield* claim("b"), [other])
        assert.deepStrictEqual(yield* claim("c"), [busy])
      }).pipe(Effect.provideService(LooksBehind, 1))
    )

    it.effect("poll is taken with it, though another network's backlog has just been looked behind", () =>
      Effect.gen(function* () {
        const store = yield* PollStore
        const now = yield* inboxEpoch
        const later = DateTime.add(now, { seconds: 20 })
        const claimTwo = (network: "facebook" | "threads") =>
          Effect.map(
            store.claim({ ...leaseOf(later, network), limit: 2, network, isAutomatic: true }),
            (claims) => new Set(claims.map(({ workspaceId }) => workspaceId))
          )
        for (const network of ["facebook", "threads"] as const) {
          const add = Effect.fnUntraced(function* (at: DateTime.Utc) {
            return (yield* connect((yield* makeInboxWorkspace(at)).id, { network, at })).workspaceId
          })
          const busy = yield* add(now)
          yield* copy("account_polls", busy, { account_id: numbered("account_id") })
          yield* copy("social_accounts", busy, { id: numbered("id"), network_account_id: `'${network}' || n` })
          const other = yield* add(DateTime.add(now, { seconds: 10 }))
          assert.deepStrictEqual(yield* claimTwo(network), new Set([busy, other]))
        }
      }).pipe(Effect.provideService(LooksBehind, 0.000_001))
    )
  }
)
