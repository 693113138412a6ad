import { PgAdapters } from "@loopbox/adapters-postgres"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { testDatabase, throughPooler } from "../testDatabase.ts"

const pooler = process.env["LOOPBOX_TEST_POOLER"]

const Row = Schema.Struct({ setting: Schema.String })

const setting = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`SELECT current_setting(${name}) AS setting`
  return (yield* Schema.decodeUnknownEffect(Row)(row)).setting
})

const layerPooled = (options: PgAdapters.Options) =>
  Layer.unwrap(
    Effect.map(testDatabase(), (target) =>
      PgAdapters.layerTarget(throughPooler(target, pooler ?? ""), { listenerUrl: target.url, ...options })
    )
  ).pipe(Layer.provide(Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())))

// CI starts one in front of Debian's PostgreSQL; all suites of the stores run through it, too.
describe.skipIf(pooler === undefined)("PostgreSQL behind a pooler that lends sessions by transaction", () => {
  it.live("is migrated past it, and limits each transaction anew", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const inside = sql.withTransaction(Effect.all([setting("statement_timeout"), setting("lock_timeout")]))
      assert.deepStrictEqual(yield* inside, ["700ms", "5s"])
      assert.strictEqual(yield* setting("statement_timeout"), "0")
      const error = yield* Effect.flip(sql.withTransaction(sql`SELECT pg_sleep(60)`))
      assert.strictEqual(error.reason._tag, "StatementTimeoutError")
      // The session went back without the transaction.
      assert.deepStrictEqual(yield* inside, ["700ms", "5s"])
    }).pipe(Effect.provide(layerPooled({ statementTimeout: "700 millis", maxConnections: 1 })))
  )

  it.live("gives up a statement outside of a transaction by the client's own time-out, at the server, too", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const workspaces = yield* Workspaces
      yield* Effect.scoped(
        Effect.gen(function* () {
          const held = yield* sql.reserve
          yield* held.execute("BEGIN", [], undefined)
          yield* held.execute("LOCK TABLE workspaces IN ACCESS EXCLUSIVE MODE", [], undefined)
          const error = yield* Effect.flip(workspaces.list({ limit: 1, after: Option.none() }))
          assert.strictEqual(error._tag, "StoreUnavailable")
          const waiting = sql`SELECT FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`
          yield* waiting.pipe(
            Effect.delay("50 millis"),
            Effect.repeat({ until: (rows) => rows.length === 0 }),
            Effect.timeout("60 seconds")
          )
          yield* held.execute("ROLLBACK", [], undefined)
        })
      )
      yield* workspaces.list({ limit: 1, after: Option.none() })
    }).pipe(Effect.provide(layerPooled({ callTimeout: "1 second" })))
  )

  it.live("refuses an address behind it that leads to another database, or to a pooler", () =>
    Effect.gen(function* () {
      const [one, other] = yield* Effect.all([testDatabase(), testDatabase("empty")])
      const lent = throughPooler(one, pooler ?? "")
      yield* PgAdapters.checkListener(lent, { listenerUrl: one.url })
      const elsewhere = yield* Effect.flip(PgAdapters.checkListener(lent, { listenerUrl: other.url }))
      assert.match(
        elsewhere.message,
        /^The pooler lends the database "t_.*leads to another one, "t_.*Both must be the same/
      )
      // Before anything is migrated.
      const started = Layer.build(PgAdapters.layerTarget(lent, { listenerUrl: other.url }))
      assert.strictEqual((yield* Effect.flip(Effect.scoped(started))).message, elsewhere.message)
      const again = yield* Effect.flip(PgAdapters.checkListener(lent, { listenerUrl: lent.url }))
      assert.match(again.message, /is a pooler, too/)
    }).pipe(Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()), Effect.scoped)
  )
})
