import { PgAdapters } from "@loopbox/adapters-postgres"
import { OutgoingEndpointId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { OutgoingEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { type OutgoingClaim, OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { claimDue, later, makeDelivery, readOn, settleAs, succeedAll } from "@loopbox/testing/fixtures/laneFixtures"
import { assert, layer } from "@effect/vitest"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import { findCostly, oneConnection } from "../rowsRead.ts"
import { testDatabase } from "../../testDatabase.ts"

const now = DateTime.makeUnsafe("2026-06-01T00:00:00.000Z")
const id = (prefix: string, n: number) => `${prefix}_0${n.toString(16).padStart(25, "0")}`
const sqlId = (prefix: string, n: string) => `'${prefix}_0' || lpad(to_hex(${n}), 25, '0')`

/** Workspaces: the first 500 have four endpoints each, the others none. All have events. */
const workspaces = 10_000
const endpoints = 2_000
const workspace = (n: number) => WorkspaceId.make(id("ws", n))
const endpoint = (n: number) => ({ id: OutgoingEndpointId.make(id("whe", n)), workspaceId: workspace(n % 500) })

/** The endpoint 0 has 100,000 due deliveries, the ordered 500 as many; 300,000 of others have ended. */
const backlog = 100_000
const ofEvent = (prefix: number) => sqlId("whd", `n + ${prefix * 10_000_000}`)
const columns = `(workspace_id, id, endpoint_id, message_id, event_type, event_seq, body, status, attempts,
  attempts_in_schedule, due_at, created_at)`
const deliveries = (prefix: number, of: string, count: number, status: string, due: string) => `
  INSERT INTO outgoing_deliveries ${columns}
  SELECT ${sqlId("ws", `${of} % 500`)}, ${ofEvent(prefix)}, ${sqlId("whe", of)}, 'm' || n, 'inbox.new_item',
    n + ${prefix * 10_000_000}, '{"type":"inbox.new_item"}', '${status}', 0, 0, ${due},
    timestamptz '2026-06-01Z' - make_interval(secs => ${count} - n)
  FROM generate_series(1, ${count}) n`
const past = "timestamptz '2026-05-31Z'"

const fill = [
  `INSERT INTO workspaces SELECT ${sqlId("ws", "n")}, 'w', 'enterprise', NULL, NULL, ${past}
    FROM generate_series(0, ${workspaces - 1}) n`,
  `INSERT INTO workspace_seq SELECT ${sqlId("ws", "n")}, 1000 + n FROM generate_series(0, ${workspaces - 1}) n`,
  `INSERT INTO outgoing_positions SELECT ${sqlId("ws", "n")}, CASE WHEN n < 5 THEN 1 ELSE 1000 + n END
    FROM generate_series(0, 499) n`,
  `INSERT INTO outgoing_endpoints (workspace_id, id, url, status, is_ordered, since_seq, created_at, failures_in_row)
    SELECT ${sqlId("ws", "n % 500")}, ${sqlId("whe", "n")}, 'https://a.example', 'enabled', n = 500, 0, ${past}, 0
    FROM generate_series(0, ${endpoints - 1}) n`,
  `INSERT INTO outgoing_secrets SELECT workspace_id, id, 1, 'sealed', NULL FROM outgoing_endpoints`,
  deliveries(3, "n % 2000", 300_000, "delivered", "NULL"),
  ...["outgoing_endpoints", "outgoing_secrets", "outgoing_lanes", "outgoing_positions", "outgoing_deliveries"].flatMap(
    (table) => [`ALTER TABLE ${table} SET (autovacuum_enabled = false)`, `ANALYZE ${table}`]
  ),
  "ANALYZE workspace_seq",
  // The statistics are of the time before: hardly anything waited.
  deliveries(1, "0", backlog, "pending", past),
  deliveries(2, "500", backlog, "pending", past),
  deliveries(4, "1000 + n % 1000", 30_000, "pending", "timestamptz '2026-06-02Z' + make_interval(secs => n)"),
  deliveries(5, "1", 100, "pending", past),
  `INSERT INTO outgoing_lanes (workspace_id, endpoint_id, is_ordered, next_at, from_seq)
    SELECT e.workspace_id, e.id, e.is_ordered, min(d.due_at), min(d.event_seq)
    FROM outgoing_endpoints e LEFT JOIN outgoing_deliveries d
      ON d.workspace_id = e.workspace_id AND d.endpoint_id = e.id AND d.due_at IS NOT NULL
    GROUP BY e.workspace_id, e.id`,
  "ANALYZE outgoing_lanes"
]

class Filled extends Context.Service<Filled, PgAdapters.Target>()("test/Filled") {}

const filled = Layer.effect(
  Filled,
  Effect.gen(function* () {
    const target = yield* testDatabase()
    const statements = Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.forEach(fill, (statement) => sql.unsafe(statement), { discard: true })
    )
    yield* PgAdapters.withLongRunningClient(target, {}, statements)
    return target
  })
)

const calls = Effect.gen(function* () {
  const [queue, store] = [yield* OutgoingQueue, yield* OutgoingEndpointStore]
  const held: Array<OutgoingClaim> = []
  const claim = Effect.map(claimDue(now), (claims) => held.push(...claims))
  /** A call for the lane of the long backlog. */
  const ofLong = <A, E, R>(call: (claim: OutgoingClaim) => Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const long = held.find(({ lane }) => lane.endpointId === endpoint(0).id)
      return long === undefined ? Effect.die("not claimed") : call(long)
    })
  const deliveryOf = ({ deliveries: [one] }: OutgoingClaim) => Effect.fromNullishOr(one)
  const page = { limit: 50, after: Option.none() }
  const { id: endpointId, workspaceId } = endpoint(0)
  return {
    lagging: queue.lagging(100, Option.some([workspaceId, workspace(3)])),
    listening: queue.listening(workspaceId),
    "claim beside backlogs": claim,
    "claim of nothing": claimDue(now),
    "read on": ofLong((long) =>
      queue.next(long.lane, { after: Option.fromUndefinedOr(long.deliveries.at(-1)), limit: 64, now })
    ),
    "read from the beginning": ofLong((long) => readOn(long, now, 64)),
    succeed: ofLong((long) => succeedAll({ ...long, deliveries: long.deliveries.slice(2) }, now)),
    fail: ofLong((long) => Effect.flatMap(deliveryOf(long), (one) => settleAs(long, one, 500, now))),
    cancel: ofLong((long) => Effect.flatMap(deliveryOf(long), (one) => queue.cancel(long.lane, one))),
    renew: ofLong(({ lane }) => queue.renew(lane, later(now, 20))),
    release: Effect.suspend(() =>
      Effect.forEach(held.splice(0, 2), ({ lane }) => queue.release(lane, now), { discard: true })
    ),
    "claim again": claim,
    "claim after leases ended": Effect.map(claimDue(now, 128, later(now, 30)), (claims) =>
      held.splice(0, 999, ...claims)
    ),
    append: Effect.flatMap(
      Effect.forEach([1, 2, 3], (n) => makeDelivery(endpoint(5), 70_000_000 + n, later(now, 100))),
      (made) => queue.append({ workspaceId: workspace(5), position: 1005 }, 1005, made)
    ),
    replay: Effect.flatMap(makeDelivery(endpoint(0), 10_000_500, now), (one) => queue.replay([one])),
    "succeed all": Effect.suspend(() => Effect.forEach(held, (one) => succeedAll(one, now))),
    "release all": Effect.suspend(() =>
      Effect.forEach(held.splice(0), ({ lane }) => queue.release(lane, now), { discard: true })
    ),
    list: store.deliveries(workspaceId, endpointId, Option.none(), page),
    "list failed": store.deliveries(workspaceId, endpointId, Option.some("failed"), page),
    "remove older": queue.removeOlder(DateTime.subtract(now, { hours: 80 }), 500)
  }
})

layer(filled, { excludeTestServices: true, timeout: "5 minutes" })("Beside backlogs of 100,000 deliveries", (it) => {
  for (const plans of ["force_generic_plan", "force_custom_plan"]) {
    it.effect(`every hot statement reads by an index, and little (${plans})`, () =>
      Effect.gen(function* () {
        const target = yield* Filled
        const tables = ["outgoing_deliveries", "outgoing_lanes", "outgoing_endpoints", "workspace_seq"]
        const found = yield* Effect.flatMap(calls, (made) =>
          findCostly<SecureRandom | OutgoingQueue | OutgoingEndpointStore>(tables, made)
        ).pipe(Effect.provide(oneConnection(target, plans)))
        assert.deepStrictEqual(found, [])
      })
    )
  }

  it.effect("gives every other endpoint what is due, and the ordered one its oldest", () =>
    Effect.gen(function* () {
      const target = yield* Filled
      yield* Effect.gen(function* () {
        const at = later(now, 3_600)
        const claims = yield* claimDue(at)
        const counts = new Map(claims.map(({ deliveries, lane }) => [lane.endpointId, deliveries.length]))
        assert.strictEqual(counts.get(endpoint(500).id), 1)
        for (const n of [0, 1]) assert.strictEqual(counts.get(endpoint(n).id), 8)
      }).pipe(Effect.provide(oneConnection(target, "auto")))
    })
  )

  it.effect("disables an endpoint at once, and marks what waited for it in batches", () =>
    Effect.gen(function* () {
      const target = yield* Filled
      yield* Effect.gen(function* () {
        const [queue, store] = [yield* OutgoingQueue, yield* OutgoingEndpointStore]
        const { id: endpointId, workspaceId } = endpoint(0)
        const sql = yield* SqlClient.SqlClient
        const left = Effect.map(
          sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM outgoing_deliveries
            WHERE endpoint_id = ${endpointId} AND due_at IS NOT NULL`,
          ([row]) => row?.count ?? 0
        )
        const disable = (known: OutgoingEndpoint) => new OutgoingEndpoint({ ...known, status: "disabled" })
        const [took] = yield* Effect.timed(store.update(workspaceId, endpointId, disable, now))
        yield* Effect.log(`disabled in ${took}`)
        assert.isAbove(yield* left, backlog / 2)
        const page = { limit: 50, after: Option.none() }
        const list = (status: "pending" | "canceled") =>
          store.deliveries(workspaceId, endpointId, Option.some(status), page)
        assert.strictEqual((yield* list("pending")).items.length, 0)
        assert.strictEqual((yield* list("canceled")).items.length, 50)
        while ((yield* left) > 0) yield* queue.removeOlder(DateTime.subtract(now, { days: 30 }), 20_000)
        assert.strictEqual((yield* list("canceled")).items.length, 50)
      }).pipe(Effect.provide(oneConnection(target, "auto")))
    })
  )
})
