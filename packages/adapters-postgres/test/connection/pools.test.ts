import { PgAdapters, Pools } from "@loopbox/adapters-postgres"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { permitsOf } from "../../src/connection/workspaceLock.ts"
import { testDatabase } from "../testDatabase.ts"

const layerSmall = Layer.unwrap(
  Effect.map(testDatabase(), (target) =>
    PgAdapters.layerTarget(target, { migrate: false, maxConnections: 2, workerConnections: 3 })
  )
).pipe(Layer.provide(Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())))

/** Until so many of a pool are in use and wait. */
const until = (pools: Pools.Pools["Service"], name: Pools.PoolName, inUse: number, waiting: number) =>
  Effect.sync(() => pools.use()[name]).pipe(
    Effect.delay("20 millis"),
    Effect.repeat({ until: (use) => use.inUse === inUse && use.waiting === waiting }),
    Effect.timeout("60 seconds")
  )

describe("Pools", () => {
  it.live("leave a request its connections however many statements of workers wait", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const pools = yield* Pools.Pools
      const long = sql`SELECT pg_sleep(600)`
      const statements = yield* Effect.forEach(
        [long, sql.withTransaction(long), long, long, sql.withTransaction(long)],
        (one) => Effect.forkChild(Effect.provideService(one, Pools.CurrentPool, "workers"))
      )
      yield* until(pools, "workers", 3, 2)
      yield* sql`SELECT 1`
      yield* sql.withTransaction(sql`SELECT 1`)
      assert.deepStrictEqual(pools.use().requests, { size: 2, inUse: 0, waiting: 0 })
      yield* Effect.forEach(statements, Fiber.interrupt, { concurrency: "unbounded" })
      yield* until(pools, "workers", 0, 0)
    }).pipe(Effect.provide(layerSmall))
  )

  it.live("are those of the fiber that runs a statement, and of the fibers that it forks", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const pools = yield* Pools.Pools
      const forked = yield* Effect.forkChild(sql`SELECT pg_sleep(600)`.stream.pipe(Stream.runDrain)).pipe(
        Effect.provide(Pools.layerWorkers)
      )
      yield* until(pools, "workers", 1, 0)
      assert.strictEqual(pools.use().requests.inUse, 0)
      yield* Fiber.interrupt(forked)
      yield* until(pools, "workers", 0, 0)
    }).pipe(Effect.provide(layerSmall))
  )

  it.live("fail a COMMIT that the server turned into a rollback", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const swallowed = sql`SELECT 1 / 0`.pipe(Effect.ignore)
      const error = yield* Effect.flip(sql.withTransaction(swallowed))
      assert.strictEqual(error.reason.operation, "commit")
    }).pipe(Effect.provide(layerSmall))
  )

  it("let a part of each wait for workspaces' locks, never all of it", () => {
    const of = (requests: number, workers: number) =>
      (["conversions", "marks", "media", "workspaces", "retention"] as const).map((share) =>
        permitsOf(share, { requests, workers })
      )
    assert.deepStrictEqual(of(10, 10), [4, 2, 1, 1, 1])
    assert.deepStrictEqual(of(100, 40), [40, 20, 10, 10, 4])
    assert.deepStrictEqual(of(2, 2), [1, 1, 1, 1, 1])
  })
})
