import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { noon } from "@loopbox/testing/fixtures/activities"
import { connect, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { assert, describe, it, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import { findCostly, oneConnection } from "../rowsRead.ts"
import { layerStores, testDatabase } from "../../testDatabase.ts"

const later = DateTime.add(noon, { hours: 12 })

const claim = (token: string, limit: number) =>
  Effect.flatMap(WebhookDeliveries, (deliveries) =>
    deliveries.claim({ limit, token, leaseNow: later, leaseUntil: DateTime.add(later, { minutes: 1 }) })
  )

/** Deliveries that wait: each number with its lane. */
const wait = Effect.fnUntraced(function* (lane: string, from: number, to: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`INSERT INTO webhook_deliveries (id, endpoint, body, state, arrived_at, claimable_at, lane)
    SELECT 'd' || lpad(n::text, 6, '0'), 'meta', convert_to(repeat('x', 1000), 'UTF8'), 'pending',
      '2026-03-01Z'::timestamptz + make_interval(secs => n), '2026-03-01Z'::timestamptz + make_interval(secs => n), ${lane}
    FROM generate_series(${from}, ${to}) n`)
})

describe("A claim of webhooks", () => {
  for (const plans of ["force_generic_plan", "force_custom_plan"]) {
    for (const isAnalyzed of [true, false]) {
      it.effect(
        `reads what it takes, whatever waits in which lane (${plans}, ${isAnalyzed ? "" : "not "}analyzed)`,
        () =>
          Effect.gen(function* () {
            // Counted by one server: a distributed database's rows are read on others.
            const target = yield* testDatabase("alone")
            const found = yield* Effect.gen(function* () {
              const sql = yield* SqlClient.SqlClient
              const deliveries = yield* WebhookDeliveries
              yield* wait("'ws_busy'", 1, 20_000)
              yield* wait("''", 20_001, 30_000)
              // Of as many workspaces.
              yield* wait("'ws_' || n", 30_001, 36_000)
              // What is done stays for a week.
              yield* sql`UPDATE webhook_deliveries SET state = 'done', claimable_at = NULL, ended_at = claimable_at
              WHERE id < 'd010001'`
              if (isAnalyzed) yield* sql`VACUUM ANALYZE webhook_deliveries`
              assert.strictEqual((yield* claim("t0", 32)).length, 32)
              const turns = Array.from({ length: 4 }, (_, n) => [`claim ${n}`, claim(`t${n + 1}`, 32)] as const)
              const costly = yield* findCostly(["webhook_deliveries"], Object.fromEntries(turns))
              const last = yield* claim("t5", 32)
              assert.strictEqual(last.length, 32)
              yield* deliveries.complete(last, later)
              return costly
            }).pipe(Effect.provide(oneConnection(target, plans)))
            assert.deepStrictEqual(found, [])
          })
      )
    }
  }
})

layer(Layer.merge(layerStores(), SecureRandom.layerWebCrypto), { excludeTestServices: true })(
  "Deliveries that an older version stores beside",
  (it) => {
    it.effect("are taken in turn with those of workspaces", () =>
      Effect.gen(function* () {
        const [deliveries, sql] = [yield* WebhookDeliveries, yield* SqlClient.SqlClient]
        yield* connect((yield* makeInboxWorkspace(noon)).id, { networkAccountId: "known" })
        const names = [{ network: "instagram", by: "id", value: "known" }] as const
        for (let n = 0; n < 20; n++) {
          const at = DateTime.add(noon, { seconds: n })
          yield* deliveries.store({ id: `k${n}`, endpoint: "meta", body: Uint8Array.of(1), arrivedAt: at }, at, names)
        }
        const first = yield* claim("a", 2)
        assert.deepStrictEqual(
          first.map(({ delivery }) => delivery.id),
          ["k0", "k1"]
        )
        // As the version before writes it.
        const at = DateTime.toDate(DateTime.add(noon, { hours: 1 }))
        yield* sql`INSERT INTO webhook_deliveries (id, endpoint, body, state, arrived_at, claimable_at)
          VALUES ('old', 'meta', '', 'pending', ${at}, ${at})`
        const next = yield* claim("b", 1)
        assert.deepStrictEqual(
          next.map(({ delivery }) => delivery.id),
          ["old"]
        )
      })
    )
  }
)
