import {
  distributeDatabase,
  examineCluster,
  findClusterNodes,
  Migrations,
  PgAdapters
} from "@loopbox/adapters-postgres"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"
import { clusterDatabase, onTarget, testCluster } from "../clusterDatabase.ts"
import { testDatabase } from "../testDatabase.ts"

const run = <A, E>(target: PgAdapters.Target, self: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  PgAdapters.withLongRunningClient(target, {}, self)

describe("Nodes of a database on one server", () => {
  it.live("are not asked", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase("alone")
      assert.isTrue(Option.isNone(yield* run(target, findClusterNodes)))
      assert.isTrue(Option.isNone(yield* run(target, examineCluster({ mend: true }))))
    }).pipe(Effect.scoped)
  )
})

describe.skipIf(testCluster === undefined)("Nodes of a distributed database", () => {
  it.live("are said to be away while they don't answer, and tables and settings that are not as they were made", () =>
    Effect.gen(function* () {
      const { coordinator, join, lastWorker } = yield* clusterDatabase
      yield* join
      yield* run(coordinator, Migrations.run)
      yield* distributeDatabase(coordinator, { shards: 2 })
      const away = Effect.map(run(coordinator, findClusterNodes), (found) => Option.getOrThrow(found).away)
      const examine = (mend: boolean) => Effect.map(run(coordinator, examineCluster({ mend })), Option.getOrThrow)
      const { nodes, ...well } = yield* examine(false)
      assert.lengthOf(nodes, 3)
      assert.deepStrictEqual([well.away, well.unplaced, well.misplaced, well.unset], [[], [], [], []])

      yield* lastWorker.cut
      assert.deepStrictEqual(yield* away, [lastWorker.address])
      assert.deepStrictEqual((yield* examine(true)).away, [lastWorker.address])
      // Who lies on the other worker is read and written; nobody else is.
      const outcomes = yield* onTarget(coordinator, (sql) =>
        Effect.forEach(
          Array.from({ length: 20 }, (_, n) => `w${n}`),
          (id) => Effect.isSuccess(sql`INSERT INTO members VALUES (${id}, 'u', 'viewer')`)
        )
      )
      assert.sameMembers(Array.from(new Set(outcomes)), [true, false])
      // And what networks send is stored.
      yield* onTarget(
        coordinator,
        (sql) => sql`INSERT INTO webhook_deliveries VALUES ('d', 'meta', '', 'pending', '', 0, now(), now())`
      )
      yield* lastWorker.mend
      assert.deepStrictEqual(yield* away, [])

      yield* onTarget(coordinator, (sql) =>
        Effect.gen(function* () {
          yield* sql`SELECT undistribute_table('thread_notes')`
          const [row] = yield* sql<{ name: string }>`SELECT current_database() AS name`
          yield* sql`ALTER DATABASE ${sql(row?.name ?? "")} RESET lock_timeout`
        })
      )
      const unwell = yield* examine(false)
      assert.deepStrictEqual([unwell.unplaced, unwell.unset.length], [["thread_notes"], 3])
      assert.deepStrictEqual((yield* examine(true)).unset, [])
      assert.deepStrictEqual((yield* distributeDatabase(coordinator)).placed, ["thread_notes"])
      assert.deepStrictEqual((yield* examine(false)).unplaced, [])

      // As an earlier version placed them.
      yield* onTarget(coordinator, (sql) =>
        Effect.gen(function* () {
          yield* sql`INSERT INTO account_routes VALUES ('x', 'id', 'n', 'w', 'a')`
          yield* sql`SELECT create_reference_table('account_routes')`
        })
      )
      const earlier = yield* examine(false)
      assert.deepStrictEqual([earlier.copied, earlier.misplaced], [["account_routes"], []])
      assert.deepStrictEqual((yield* distributeDatabase(coordinator)).placed, ["account_routes"])
      assert.deepStrictEqual((yield* examine(false)).copied, [])
      const kept = yield* onTarget(coordinator, (sql) => sql`SELECT value FROM account_routes`)
      assert.deepStrictEqual(kept, [{ value: "n" }])
    }).pipe(Effect.scoped)
  )
})
