import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { all, one } from "./internal/rows.ts"
import { foundation } from "./migrations/0001_foundation.ts"
import { inboxTables } from "./migrations/0002_inbox.ts"
import { outboundTables } from "./migrations/0004_outbound.ts"
import { syncTables } from "./migrations/0003_sync.ts"

/**
 * All migrations, numbered without gaps in the order of their merge.
 *
 * A released one is never changed or renamed. Each must be safe while the version before it still serves, and all that
 * are pending run in one transaction.
 */
export const migrations: Readonly<Record<string, Effect.Effect<void, unknown, SqlClient>>> = {
  "0001_foundation": foundation,
  "0002_inbox": inboxTables,
  "0003_sync": syncTables,
  "0004_outbound": outboundTables
}

/** Where the applied ones are recorded. */
export const migrationsTable = "loopbox_migrations"

/** Why the schema and this program do not go together, in a sentence for whoever runs it. */
export class MigrationRefused extends Schema.TaggedError<MigrationRefused>()("MigrationRefused", {
  reason: Schema.Literals(["ServerTooOld", "DatabaseNewer", "NamesDiffer", "Pending", "Failed"]),
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

const refuse = (reason: MigrationRefused["reason"], message: string) =>
  Effect.fail(new MigrationRefused({ reason, message }))

const VersionRow = Schema.Struct({ number: Schema.Int, name: Schema.String })
const FoundRow = Schema.Struct({ found: Schema.Boolean })
const RecordedRow = Schema.Struct({ migration_id: Schema.Int, name: Schema.String })

/** PostgreSQL 15, the oldest major that is still kept up. */
const oldestVersion = 150_000

const checkServer = Effect.gen(function* () {
  const sql = yield* SqlClient
  const version = yield* one(VersionRow)(sql`SELECT current_setting('server_version_num')::int AS number,
    current_setting('server_version') AS name`)
  if (version.number >= oldestVersion) return
  return yield* refuse("ServerTooOld", `The database server is PostgreSQL ${version.name}; Loopbox needs 15 or newer.`)
})

/** The applied migrations' names in order; none where the database is new. */
export const recorded = Effect.gen(function* () {
  const sql = yield* SqlClient
  const table = yield* one(FoundRow)(sql`SELECT to_regclass(${migrationsTable}) IS NOT NULL AS found`)
  if (!table.found) return []
  const rows = yield* all(RecordedRow)(
    sql`SELECT migration_id, name FROM ${sql(migrationsTable)} ORDER BY migration_id`
  )
  return rows.map(({ migration_id, name }) => `${String(migration_id).padStart(4, "0")}_${name}`)
})

/** Compares what is recorded with what this program knows; gives the names that are pending. */
const comparePending = Effect.gen(function* () {
  const known = Object.keys(migrations).toSorted()
  const applied = yield* recorded
  const different = applied.findIndex((name, i) => i < known.length && name !== known[i])
  if (different >= 0) {
    return yield* refuse(
      "NamesDiffer",
      `The database has the migration ${applied[different]} where this version of Loopbox has ${known[different]}. ` +
        "It belongs to another program or to a development version; nothing was changed."
    )
  }
  if (applied.length > known.length) {
    return yield* refuse(
      "DatabaseNewer",
      `The database was migrated by a newer version of Loopbox (up to ${applied[applied.length - 1]}, ` +
        `this one knows ${known[known.length - 1]}). Run that version or a newer one.`
    )
  }
  return known.slice(applied.length)
})

/** A damaged record of migrations is a refusal like any other failure to migrate. */
const toRefused = (cause: Schema.SchemaError | Migrator.MigrationError) =>
  Effect.fail(new MigrationRefused({ reason: "Failed", message: cause.message, cause }))

/** Fails unless every migration of this program, and no other, is applied. Gives the newest one's name. */
export const check: Effect.Effect<string, MigrationRefused | SqlError, SqlClient> = Effect.gen(function* () {
  yield* checkServer
  const pending = yield* comparePending
  const newest = Object.keys(migrations).toSorted().at(-1) ?? ""
  if (pending.length === 0) return newest
  return yield* refuse("Pending", `The database lacks the migrations ${pending.join(", ")}. Run "loopbox migrate".`)
}).pipe(Effect.catchTag("SchemaError", toRefused))

/**
 * Brings the schema up to date, one process at a time, and gives the names of the migrations that it ran.
 *
 * Wants a client of its own without a statement time-out: a migration may take longer than a request.
 */
export const run: Effect.Effect<ReadonlyArray<string>, MigrationRefused | SqlError, SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient
    yield* checkServer
    yield* sql`SELECT pg_advisory_xact_lock(hashtextextended('loopbox:migrate', 0))`
    const pending = yield* comparePending
    if (pending.length === 0) return []
    yield* Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: migrationsTable })
    return pending
  }
).pipe(Effect.catchTags({ SchemaError: toRefused, MigrationError: toRefused }), (self) =>
  Effect.flatMap(SqlClient, (sql) => sql.withTransaction(self))
)
