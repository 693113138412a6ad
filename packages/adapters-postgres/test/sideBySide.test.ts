import { exportDatabase, Migrations, PgAdapters } from "@loopbox/adapters-postgres"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { testDatabase } from "./testDatabase.ts"

const on = <A, E>(target: PgAdapters.Target, self: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  PgAdapters.withLongRunningClient(target, {}, self)

const execute = (target: PgAdapters.Target, statement: string) =>
  on(
    target,
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement))
  )

/** How many migrations this version knows. */
const known = Object.keys(Migrations.migrations).length

/** How many v0.1.0 knew. */
const firstRelease = 4

/** What a newer version would leave behind: migrations that this one has never heard of, and how far they reach back. */
const migrateByNewer = (target: PgAdapters.Target, reachBack: ReadonlyArray<number | null>) =>
  Effect.gen(function* () {
    yield* execute(target, `ALTER TABLE ${Migrations.migrationsTable} ADD COLUMN IF NOT EXISTS min_compatible integer`)
    for (const [i, minCompatible] of reachBack.entries()) {
      yield* execute(
        target,
        `INSERT INTO ${Migrations.migrationsTable} (migration_id, name, min_compatible)
        VALUES (${known + 1 + i}, 'future_${i + 1}', ${minCompatible})`
      )
    }
  })

describe("two versions side by side", () => {
  it.live("goes on where a newer version's migrations say that this one may", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase("alone")
      yield* migrateByNewer(target, [known, known - 1])
      const standing = yield* on(target, Migrations.check)
      assert.include(Migrations.describe(standing), `up to ${String(known + 2).padStart(4, "0")}_future_2`)
      assert.deepStrictEqual(yield* on(target, Migrations.run), [])
    }).pipe(Effect.scoped)
  )

  it.live("starts its stores on a schema that is ahead of it", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase("alone")
      yield* migrateByNewer(target, [known])
      yield* Effect.scoped(Layer.build(PgAdapters.layerTarget(target, { maxConnections: 1 })))
    }).pipe(Effect.scoped)
  )

  it.live("stops where a newer migration reaches less far back, or does not say how far", () =>
    Effect.gen(function* () {
      for (const reachBack of [[known, known + 1, known], [null]]) {
        const target = yield* testDatabase("alone")
        yield* migrateByNewer(target, reachBack)
        for (const self of [Migrations.run, Migrations.check]) {
          const error = yield* Effect.flip(on<unknown, unknown>(target, self)).pipe(Effect.map(String))
          assert.include(error, "may no longer run beside it")
        }
      }
    }).pipe(Effect.scoped)
  )

  it.live("records how far back each of its own migrations reaches", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase("empty")
      yield* on(target, Migrations.run)
      const rows = yield* execute(target, `SELECT min_compatible FROM ${Migrations.migrationsTable} ORDER BY 1`)
      assert.deepStrictEqual(
        rows.map((row) => Number(Object.values(row)[0])),
        Object.values(Migrations.migrations)
          .map(({ minCompatible }) => minCompatible)
          .toSorted((a, b) => a - b)
      )
    }).pipe(Effect.scoped)
  )

  it("lets every version from the first release on run beside this one", () => {
    for (const [i, { minCompatible }] of Object.values(Migrations.migrations).entries()) {
      assert.isAtMost(minCompatible, Math.max(firstRelease, i), "a step may not shut out the version before it")
    }
  })

  it.live("goes on with a database that was recorded before any of this", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase("alone")
      yield* execute(target, `ALTER TABLE ${Migrations.migrationsTable} DROP COLUMN min_compatible`)
      assert.deepStrictEqual((yield* on(target, Migrations.check)).pending, [])
    }).pipe(Effect.scoped)
  )

  it.live("exports nothing of a schema whose tables it does not all know", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase("alone")
      yield* migrateByNewer(target, [known])
      const error = yield* Effect.flip(exportDatabase(target, () => Effect.void))
      assert.include(error.message, "does not know all of its tables")
    }).pipe(Effect.scoped)
  )
})
