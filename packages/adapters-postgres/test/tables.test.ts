import { Migrations, PgAdapters } from "@loopbox/adapters-postgres"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type Table, tables } from "../src/tables.ts"
import { testDatabase } from "./testDatabase.ts"

const ColumnRow = Schema.Struct({ table: Schema.String, columns: Schema.Array(Schema.String) })
const IndexRow = Schema.Struct({ table: Schema.String, columns: Schema.Array(Schema.String) })

/** The columns of each table of the migrated schema, and of each index in its order. */
const readSchema = Effect.gen(function* () {
  const target = yield* testDatabase()
  return yield* PgAdapters.withLongRunningClient(
    target,
    {},
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const found = yield* sql`SELECT c.relname AS table, array_agg(a.attname::text ORDER BY a.attnum) AS columns
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
          AND c.relname <> ${Migrations.migrationsTable} GROUP BY c.relname`
      const indexes = yield* sql`SELECT t.relname AS table, array_agg(a.attname::text ORDER BY k.place) AS columns
        FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
        CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, place)
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number
        WHERE t.relnamespace = 'public'::regnamespace GROUP BY t.relname, i.indexrelid`
      return {
        columns: new Map(
          (yield* Schema.decodeUnknownEffect(Schema.Array(ColumnRow))(found)).map((row) => [row.table, row.columns])
        ),
        indexes: yield* Schema.decodeUnknownEffect(Schema.Array(IndexRow))(indexes)
      }
    })
  )
})

const listed: ReadonlyArray<Table> = tables

/** Asked by a key that names no workspace, to find it. */
const beforeWorkspace: ReadonlySet<string> = new Set(["account_routes", "connect_sessions", "connect_attempts"])

describe("The list of tables", () => {
  it.live("names every table of the schema, once", () =>
    Effect.gen(function* () {
      const { columns } = yield* readSchema
      assert.deepStrictEqual(listed.map(({ name }) => name).toSorted(), Array.from(columns.keys()).toSorted())
    }).pipe(Effect.scoped)
  )

  it.live("gives every table of a workspace a place beside it, and every table of an account a way to be erased", () =>
    Effect.gen(function* () {
      const { columns } = yield* readSchema
      for (const { erased, kept, name, owner, place } of listed) {
        const has = new Set(columns.get(name))
        if (typeof place === "object") assert.isTrue(has.has(place.by), `${name} has no ${place.by}`)
        if (place === "coordinator" && !beforeWorkspace.has(name))
          assert.isFalse(has.has("workspace_id"), `${name} belongs beside its workspace`)
        assert.strictEqual(
          owner === "workspace" || owner === "account",
          has.has("workspace_id") || name === "workspaces"
        )
        // Items of large accounts and all that grows with them: none goes in the transaction that hides the account.
        if (has.has("account_id")) assert.isTrue(typeof erased === "object" && erased.account !== undefined, name)
        if (typeof kept === "object")
          for (const column of [kept.since, ...kept.key]) assert.isTrue(has.has(column), name)
      }
    }).pipe(Effect.scoped)
  )

  it.live("walks every table in the order of an index that begins with the owner", () =>
    Effect.gen(function* () {
      const { indexes } = yield* readSchema
      const isIndexed = (table: string, wanted: ReadonlyArray<string>) =>
        indexes.some((index) => index.table === table && wanted.every((column, n) => index.columns[n] === column))
      for (const { erased, kept, name } of listed) {
        if (typeof erased === "object") {
          const { account, workspace } = erased
          if (account !== undefined) {
            const wanted = ["workspace_id", "account_id", ...Object.keys(account.key)]
            assert.isTrue(isIndexed(name, wanted), `${name} by ${wanted.join(", ")}`)
          }
          if (workspace !== undefined) {
            const wanted = ["workspace_id", ...Object.keys(workspace.key)]
            assert.isTrue(isIndexed(name, wanted), `${name} by ${wanted.join(", ")}`)
          }
        }
        if (typeof kept === "object") assert.isTrue(isIndexed(name, [kept.since]), `${name} by ${kept.since}`)
      }
    }).pipe(Effect.scoped)
  )
})
