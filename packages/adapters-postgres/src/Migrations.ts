import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { isDistributed, migrationsTable } from "./distributed/places.ts"
import { beforeDdl, placeNew } from "./distributed/placeTables.ts"
import { all, one } from "./rows/rows.ts"
import { foundation } from "./migrations/0001_foundation.ts"
import { inboxTables } from "./migrations/0002_inbox.ts"
import { outboundTables } from "./migrations/0004_outbound.ts"
import { syncTables } from "./migrations/0003_sync.ts"
import { compatibility } from "./migrations/0005_compatibility.ts"
import { unknownTokenEnds } from "./migrations/0006_unknown_token_ends.ts"
import { countersCompared } from "./migrations/0009_counters_compared.ts"
import { credentialsStoredAt } from "./migrations/0007_credentials_stored_at.ts"
import { erasing } from "./migrations/0008_erasing.ts"
import { idlePolls } from "./migrations/0013_idle_polls.ts"
import { sharedGauges } from "./migrations/0014_shared_gauges.ts"
import { connectedBy } from "./migrations/0015_connected_by.ts"
import { accountHealth } from "./migrations/0017_account_health.ts"
import { postTables } from "./migrations/0019_posts.ts"
import { mediaTraits } from "./migrations/0018_media_traits.ts"
import { moderation } from "./migrations/0020_moderation.ts"
import { ownPosts } from "./migrations/0021_own_posts.ts"
import { audioOverlays } from "./migrations/0022_audio_overlays.ts"
import { contentHashes } from "./migrations/0023_content_hashes.ts"
import { audit } from "./migrations/0027_audit.ts"
import { auditDigests } from "./migrations/0029_audit_digests.ts"
import { usage } from "./migrations/0024_usage.ts"
import { savedReplies } from "./migrations/0025_saved_replies.ts"
import { threadRecords } from "./migrations/0026_thread_records.ts"
import { itemWords } from "./migrations/0028_item_words.ts"
import { outgoing } from "./migrations/0030_outgoing.ts"
import { itemWordsNewest } from "./migrations/0031_item_words_newest.ts"
import { itemWordsThreads } from "./migrations/0032_item_words_threads.ts"
import { threadLabels } from "./migrations/0033_thread_labels.ts"
import { threadNotes } from "./migrations/0034_thread_notes.ts"
import { consoleGrants } from "./migrations/0035_console_grants.ts"
import { pollLife } from "./migrations/0036_poll_life.ts"
import { sweepTurns } from "./migrations/0037_sweep_turns.ts"
import { distributed } from "./migrations/0038_distributed.ts"
import { noteWords } from "./migrations/0039_note_words.ts"
import { webhookLanes } from "./migrations/0040_webhook_lanes.ts"
import { wordsOfOlderFoldings } from "./migrations/0041_words_of_older_foldings.ts"
import { connectSessions } from "./migrations/0016_connect_sessions.ts"
import { waitingSyncs } from "./migrations/0010_waiting_syncs.ts"
import { otherAccountId } from "./migrations/0011_other_account_id.ts"
import { pollHints } from "./migrations/0012_poll_hints.ts"

/** One step of the schema. */
export interface Migration {
  readonly run: Effect.Effect<void, unknown, SqlClient>
  /**
   * Number of the newest migration that the oldest version knows which may still run on the schema that this step leaves.
   *
   * A column or table that older versions don't look at keeps the number of the step before. A step that takes away what
   * an older version reads or writes names the first version that no longer does, in a release after that one.
   */
  readonly minCompatible: number
}

/**
 * All migrations, numbered without gaps in the order of their merge.
 *
 * A released one is never changed or renamed. Each must be safe while the version before it still serves, and all that
 * are pending run in one transaction.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  "0001_foundation": { run: foundation, minCompatible: 1 },
  "0002_inbox": { run: inboxTables, minCompatible: 2 },
  "0003_sync": { run: syncTables, minCompatible: 3 },
  "0004_outbound": { run: outboundTables, minCompatible: 4 },
  "0005_compatibility": { run: compatibility, minCompatible: 4 },
  "0006_unknown_token_ends": { run: unknownTokenEnds, minCompatible: 4 },
  "0007_credentials_stored_at": { run: credentialsStoredAt, minCompatible: 4 },
  "0008_erasing": { run: erasing, minCompatible: 4 },
  "0009_counters_compared": { run: countersCompared, minCompatible: 4 },
  "0010_waiting_syncs": { run: waitingSyncs, minCompatible: 4 },
  "0011_other_account_id": { run: otherAccountId, minCompatible: 4 },
  "0012_poll_hints": { run: pollHints, minCompatible: 4 },
  "0013_idle_polls": { run: idlePolls, minCompatible: 4 },
  "0014_shared_gauges": { run: sharedGauges, minCompatible: 4 },
  "0015_connected_by": { run: connectedBy, minCompatible: 4 },
  "0016_connect_sessions": { run: connectSessions, minCompatible: 4 },
  "0017_account_health": { run: accountHealth, minCompatible: 4 },
  "0018_media_traits": { run: mediaTraits, minCompatible: 4 },
  "0019_posts": { run: postTables, minCompatible: 4 },
  "0020_moderation": { run: moderation, minCompatible: 4 },
  "0021_own_posts": { run: ownPosts, minCompatible: 4 },
  "0022_audio_overlays": { run: audioOverlays, minCompatible: 4 },
  "0023_content_hashes": { run: contentHashes, minCompatible: 4 },
  "0024_usage": { run: usage, minCompatible: 4 },
  "0025_saved_replies": { run: savedReplies, minCompatible: 4 },
  "0026_thread_records": { run: threadRecords, minCompatible: 4 },
  "0027_audit": { run: audit, minCompatible: 4 },
  "0028_item_words": { run: itemWords, minCompatible: 4 },
  "0029_audit_digests": { run: auditDigests, minCompatible: 4 },
  "0030_outgoing": { run: outgoing, minCompatible: 4 },
  "0031_item_words_newest": { run: itemWordsNewest, minCompatible: 4 },
  "0032_item_words_threads": { run: itemWordsThreads, minCompatible: 4 },
  "0033_thread_labels": { run: threadLabels, minCompatible: 4 },
  "0034_thread_notes": { run: threadNotes, minCompatible: 4 },
  "0035_console_grants": { run: consoleGrants, minCompatible: 4 },
  "0036_poll_life": { run: pollLife, minCompatible: 4 },
  "0037_sweep_turns": { run: sweepTurns, minCompatible: 4 },
  "0038_distributed": { run: distributed, minCompatible: 4 },
  "0039_note_words": { run: noteWords, minCompatible: 4 },
  "0040_webhook_lanes": { run: webhookLanes, minCompatible: 4 },
  "0041_words_of_older_foldings": { run: wordsOfOlderFoldings, minCompatible: 4 }
}

const names: ReadonlyArray<string> = Object.keys(migrations).toSorted()

const newestKnown = names[names.length - 1] ?? ""

export { migrationsTable }

/** The schema and this program do not fit. The message is a sentence for the operator. */
export class MigrationRefused extends Schema.TaggedError<MigrationRefused>()("MigrationRefused", {
  reason: Schema.Literals([
    "ServerTooOld",
    "OtherEncoding",
    "DatabaseNewer",
    "NamesDiffer",
    "Pending",
    "OtherDatabase",
    "Failed"
  ]),
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

const refuse = (reason: MigrationRefused["reason"], message: string) =>
  Effect.fail(new MigrationRefused({ reason, message }))

const VersionRow = Schema.Struct({ number: Schema.Int, name: Schema.String })
const FoundRow = Schema.Struct({ found: Schema.Boolean })
const RecordedRow = Schema.Struct({
  migration_id: Schema.Int,
  name: Schema.String,
  min_compatible: Schema.NullOr(Schema.Int)
})

/** PostgreSQL 15, the oldest major that is still kept up. */
const oldestVersion = 150_000

const checkServer = Effect.gen(function* () {
  const sql = yield* SqlClient
  const version = yield* one(VersionRow)(sql`SELECT current_setting('server_version_num')::int AS number,
    current_setting('server_version') AS name`)
  if (version.number >= oldestVersion) return
  return yield* refuse("ServerTooOld", `The database server is PostgreSQL ${version.name}; Loopbox needs 15 or newer.`)
})

const EncodingRow = Schema.Struct({ encoding: Schema.String })

/**
 * A new database has to take every character: in LATIN1 the first emoji that somebody writes is refused, and in SQL_ASCII,
 * which a server has that was made without a locale, letters are counted and searched as bytes. One that is in use goes on.
 */
const checkEncoding = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { encoding } = yield* one(EncodingRow)(sql`SELECT current_setting('server_encoding') AS encoding`)
  if (encoding === "UTF8") return
  return yield* refuse(
    "OtherEncoding",
    `The database's encoding is ${encoding}; Loopbox needs UTF8. Make the database anew: ` +
      "createdb --template=template0 --encoding=UTF8."
  )
})

interface Recorded {
  readonly name: string
  /** Absent where the version that applied it did not say. */
  readonly minCompatible: Option.Option<number>
}

const hasTable = Effect.gen(function* () {
  const sql = yield* SqlClient
  return (yield* one(FoundRow)(sql`SELECT to_regclass(${migrationsTable}) IS NOT NULL AS found`)).found
})

const readRecorded = Effect.gen(function* () {
  const sql = yield* SqlClient
  if (!(yield* hasTable)) return []
  // By way of JSON, because the column is younger than the table.
  const rows = yield* all(RecordedRow)(
    sql`SELECT migration_id, name, (to_jsonb(m) ->> 'min_compatible')::int AS min_compatible
      FROM ${sql(migrationsTable)} m ORDER BY migration_id`
  )
  return rows.map(({ migration_id, min_compatible, name }): Recorded => ({
    name: `${String(migration_id).padStart(4, "0")}_${name}`,
    minCompatible: Option.fromNullOr(min_compatible)
  }))
})

/** The applied migrations' names in order; none where the database is new. */
export const recorded = Effect.map(readRecorded, (rows) => rows.map(({ name }) => name))

/** How the database's schema stands to this program. */
export interface Standing {
  /** Migrations of this program that are not applied. */
  readonly pending: ReadonlyArray<string>
  /** The newest migration that this program knows. */
  readonly known: string
  /** The newest one applied, where a newer version applied it and lets this one run beside. */
  readonly ahead: Option.Option<string>
}

const refuseNewer = (newest: string, explanation: string) =>
  refuse(
    "DatabaseNewer",
    `The database was migrated by a newer version of Loopbox (up to ${newest}, this one knows ${newestKnown}). ` +
      `${explanation} Run that version or a newer one.`
  )

/** Compares what is recorded with what this program knows. */
const compare = Effect.gen(function* () {
  const applied = yield* readRecorded
  const different = applied.findIndex(({ name }, i) => i < names.length && name !== names[i])
  if (different >= 0) {
    return yield* refuse(
      "NamesDiffer",
      `The database has the migration ${applied[different]?.name} where this version of Loopbox has ` +
        `${names[different]}. It belongs to another program or to a development version; nothing was changed.`
    )
  }
  const newer = applied.slice(names.length)
  const forbidding = newer.find(({ minCompatible }) => Option.getOrElse(minCompatible, () => Infinity) > names.length)
  const newest = newer.at(-1)?.name
  if (forbidding !== undefined) {
    return yield* refuseNewer(newest ?? "", `Since ${forbidding.name} this one may no longer run beside it.`)
  }
  const standing: Standing = {
    pending: names.slice(applied.length),
    known: newestKnown,
    ahead: Option.fromUndefinedOr(newest)
  }
  return standing
})

/** What the database said of the step that failed, on the same line. */
const reasonOf = (cause: unknown) =>
  isSqlError(cause) ? `: ${cause.reason._tag}, ${String(cause.reason.cause).replaceAll(/\s+/g, " ")}` : ""

/** A damaged record of migrations is a refusal like any other failure to migrate. */
const toRefused = (error: Schema.SchemaError | Migrator.MigrationError) =>
  Effect.fail(
    new MigrationRefused({ reason: "Failed", message: `${error.message}${reasonOf(error.cause)}`, cause: error })
  )

const checkStanding = Effect.gen(function* () {
  yield* checkServer
  const standing = yield* compare
  if (standing.pending.length === 0) return standing
  return yield* refuse(
    "Pending",
    standing.pending.length === names.length
      ? 'The database has no table of Loopbox. If it is the right one, run "loopbox migrate".'
      : `The database lacks the migrations ${standing.pending.join(", ")}. Run "loopbox migrate".`
  )
}).pipe(Effect.catchTag("SchemaError", toRefused))

/**
 * Fails unless every migration of this program is applied, and whatever a newer version has applied since lets this one
 * run beside it, as it must during a rolling deploy.
 */
export const check: Effect.Effect<Standing, MigrationRefused | SqlError, SqlClient> = checkStanding

/** Fails unless the schema is this program's own: for what has to know every table, as an export. */
export const checkSame: Effect.Effect<string, MigrationRefused | SqlError, SqlClient> = Effect.flatMap(
  checkStanding,
  ({ ahead, known }) =>
    Option.match(ahead, {
      onNone: () => Effect.succeed(known),
      onSome: (newest) => refuseNewer(newest, "This one does not know all of its tables.")
    })
)

/** A standing that is well, in words. */
export const describe = ({ ahead, known }: Standing): string =>
  Option.match(ahead, {
    onNone: () => known,
    onSome: (newest) =>
      `${known}; a newer version has migrated the database up to ${newest}, this one may run beside it`
  })

const loader = Migrator.fromRecord(
  Object.fromEntries(names.flatMap((name) => (migrations[name] === undefined ? [] : [[name, migrations[name].run]])))
)

/** Records for every migration of this program how old a version may be that runs beside it. */
const recordCompatibility = Effect.gen(function* () {
  const sql = yield* SqlClient
  const reaches = names.map((name) => migrations[name]?.minCompatible ?? null)
  yield* sql`UPDATE ${sql(migrationsTable)} m SET min_compatible = r.reach
    FROM unnest(${reaches}::int[]) WITH ORDINALITY AS r (reach, number)
    WHERE m.migration_id = r.number AND m.min_compatible IS DISTINCT FROM r.reach`
})

/**
 * As the Migrator makes it, which would ask once more after a refusal: in a transaction that has failed, so that it tells of that
 * and not of a role without rights, a database that is read only or a schema that is missing.
 */
const makeTable = Effect.gen(function* () {
  const sql = yield* SqlClient
  if (yield* hasTable) return
  yield* sql`CREATE TABLE ${sql(migrationsTable)} (
    migration_id integer primary key,
    created_at timestamp with time zone not null default now(),
    name text not null
  )`
})

/** Locks of a version that still serves stood in the way. All of the try is rolled back. */
const isCrossed = (error: MigrationRefused | SqlError): boolean => {
  const cause =
    error._tag === "SqlError" ? error : error.cause instanceof Migrator.MigrationError ? error.cause.cause : error
  return isSqlError(cause) && ["DeadlockError", "LockTimeoutError", "SerializationError"].includes(cause.reason._tag)
}

/** Whoever serves waits behind a migration that waits for a lock: it gives way after 3 s, and comes back. */
const whileCrossed = {
  while: isCrossed,
  times: 20,
  schedule: Schedule.jittered(Schedule.spaced("1 second"))
}

/**
 * Brings the schema up to date, one process at a time, and gives the names of the migrations that it ran.
 *
 * Repeated for about a minute while the locks of processes that serve stand in its way. Wants a client of its own without
 * a statement time-out: a migration may take longer than a request.
 */
export const run: Effect.Effect<ReadonlyArray<string>, MigrationRefused | SqlError, SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient
    yield* checkServer
    yield* sql`SELECT pg_advisory_xact_lock(hashtextextended('loopbox:migrate', 0))`
    const { pending } = yield* compare
    if (pending.length === 0) return []
    if (pending.length === names.length) yield* checkEncoding
    yield* sql`SET LOCAL lock_timeout = '3s'`
    if (yield* isDistributed) yield* beforeDdl
    yield* makeTable
    yield* Migrator.make({})({ loader, table: migrationsTable })
    yield* recordCompatibility
    yield* placeNew
    return pending
  }
).pipe(
  Effect.catchTags({ SchemaError: toRefused, MigrationError: toRefused }),
  (self) => Effect.flatMap(SqlClient, (sql) => sql.withTransaction(self)),
  Effect.retry(whileCrossed)
)
