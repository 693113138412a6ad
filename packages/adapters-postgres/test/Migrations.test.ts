import { Migrations, PgAdapters } from "@loopbox/adapters-postgres"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { testDatabase } from "./testDatabase.ts"

const on = <A, E>(target: PgAdapters.Target, self: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  PgAdapters.withLongRunningClient(target, {}, self)

const execute = (target: PgAdapters.Target, statement: string) =>
  on(
    target,
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement))
  )

describe("Migrations", () => {
  it("are numbered without gaps", () => {
    const numbers = Object.keys(Migrations.migrations).map((name) => name.slice(0, 4))
    assert.deepStrictEqual(
      numbers.toSorted(),
      numbers.map((_, i) => String(i + 1).padStart(4, "0"))
    )
    assert.isTrue(Object.keys(Migrations.migrations).every((name) => /^\d{4}_[a-z0-9_]+$/.test(name)))
  })

  it.live("run once when several processes start at once", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase("empty")
      const runs = yield* Effect.all(
        Array.from({ length: 4 }, () => on(target, Migrations.run)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(runs.map((names) => names.length).toSorted(), [
        0,
        0,
        0,
        Object.keys(Migrations.migrations).length
      ])
      assert.strictEqual(yield* on(target, Migrations.check), Object.keys(Migrations.migrations).at(-1))
    }).pipe(Effect.scoped)
  )

  it.live("are named by the check while they are pending", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(on(yield* testDatabase("empty"), Migrations.check))
      assert.strictEqual(error._tag === "MigrationRefused" && error.reason, "Pending")
      assert.include(error.message, "0001_foundation")
    }).pipe(Effect.scoped)
  )

  it.live("refuse a database that a newer version migrated", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase()
      yield* execute(target, `INSERT INTO ${Migrations.migrationsTable} (migration_id, name) VALUES (9998, 'future')`)
      for (const self of [Migrations.run, Migrations.check]) {
        const error = yield* Effect.flip(on<unknown, unknown>(target, self)).pipe(Effect.map(String))
        assert.include(error, "newer version")
      }
    }).pipe(Effect.scoped)
  )

  it.live("refuse a database whose recorded names are others", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase()
      yield* execute(target, `UPDATE ${Migrations.migrationsTable} SET name = 'something_else'`)
      const error = yield* Effect.flip(on(target, Migrations.run))
      assert.strictEqual(error._tag === "MigrationRefused" && error.reason, "NamesDiffer")
    }).pipe(Effect.scoped)
  )

  it.live("stop the layer's start, with their reason", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase()
      yield* execute(target, `UPDATE ${Migrations.migrationsTable} SET name = 'something_else'`)
      const error = yield* Effect.flip(
        Effect.scoped(Effect.provide(SqlClient.SqlClient, PgAdapters.layerTarget(target)))
      )
      assert.strictEqual(error._tag, "MigrationRefused")
    }).pipe(Effect.scoped)
  )
})
