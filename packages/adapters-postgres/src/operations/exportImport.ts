import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { BeginTransaction } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { createHash } from "node:crypto"
import { isDistributed } from "../distributed/places.ts"
import { beforeDdl } from "../distributed/placeTables.ts"
import { one } from "../rows/rows.ts"
import * as Migrations from "../Migrations.ts"
import { type Target, withLongRunningClient } from "../PgAdapters.ts"
import { type TableName, tableNames } from "../tables.ts"

/** A file was not imported; nothing was changed. The message is a sentence for the operator. */
export class ImportRefused extends Schema.TaggedError<ImportRefused>()("ImportRefused", {
  reason: Schema.Literals(["NotEmpty", "OtherSchema", "Damaged"]),
  message: Schema.String
}) {}

const refuse = (reason: ImportRefused["reason"], message: string) => Effect.fail(new ImportRefused({ reason, message }))

/** How many rows of each table. */
export type Counts = Readonly<Record<TableName, number>>

const Counted = Schema.Record(Schema.Literals(tableNames), Schema.Int)
const fileVersion = 1

/** First line of a file. */
const Header = Schema.fromJsonString(
  Schema.Struct({
    format: Schema.Literal("loopbox-export"),
    version: Schema.Literal(fileVersion),
    migrations: Schema.Array(Schema.String)
  })
)

/** A line that begins a table's rows; each row is a line with a JSON string, its record as PostgreSQL prints it. */
const Section = Schema.fromJsonString(Schema.Struct({ table: Schema.Literals(tableNames) }))

/** Last line: what a whole file had, and the SHA-256 of all lines before. */
const Trailer = Schema.fromJsonString(Schema.Struct({ counts: Counted, sha256: Schema.String }))

const Row = Schema.fromJsonString(Schema.String)
const RecordRow = Schema.Struct({ record: Schema.String })
const FoundRow = Schema.Struct({ found: Schema.Boolean })

const decodeRecords = (rows: ReadonlyArray<unknown>) =>
  Effect.orDie(Schema.decodeUnknownEffect(Schema.Array(RecordRow))(rows))
const recordedMigrations = Effect.catchTag(Migrations.recorded, "SchemaError", Effect.die)
const decodeHeader = Schema.decodeUnknownEffect(Header)
const decodeSection = Schema.decodeUnknownEffect(Section)
const decodeCounts = (counts: unknown) => Effect.orDie(Schema.decodeUnknownEffect(Counted)(counts))
const decodeTrailer = Schema.decodeUnknownResult(Trailer)
const decodeRow = Schema.decodeUnknownEffect(Row)

/** Rows of one INSERT, and characters of them. */
const batch = { rows: 1_000, characters: 4_000_000 }

/** Dates, floats and bytes are printed the same by every server, however it is configured. */
const setFormats = Effect.flatMap(
  PgClient.PgClient,
  (sql) => sql`SELECT set_config('datestyle', 'ISO', true), set_config('timezone', 'UTC', true),
    set_config('extra_float_digits', '3', true), set_config('bytea_output', 'hex', true)`
)

/** Counts rows by their table; every table has a figure, and be it 0. */
const makeCounts = () => {
  const counts = new Map(tableNames.map((name) => [name, 0]))
  return {
    add: (table: TableName, rows: number) => counts.set(table, (counts.get(table) ?? 0) + rows),
    all: Effect.suspend(() => decodeCounts(Object.fromEntries(counts)))
  }
}

/**
 * Writes the whole database, as it was at one moment, as lines of text; others may go on writing meanwhile. Of a
 * distributed one each node is as it was when it was first asked, which is done right at the start: a workspace lies on one.
 *
 * `write` gets some lines at a time, each with its end; what it takes long for, the database waits for.
 */
export const exportDatabase = <E>(
  target: Target,
  write: (lines: string) => Effect.Effect<void, E>
): Effect.Effect<Counts, E | SqlError | Migrations.MigrationRefused> => {
  const hash = createHash("sha256")
  const counts = makeCounts()
  const put = (lines: string) =>
    Effect.andThen(
      Effect.sync(() => hash.update(lines)),
      write(lines)
    )

  const writeTable = (sql: PgClient.PgClient, table: TableName) =>
    put(`${JSON.stringify({ table })}\n`).pipe(
      Effect.andThen(
        sql`SELECT t::text AS record FROM ${sql(table)} t`.stream.pipe(
          Stream.runForEachArray((rows) =>
            Effect.flatMap(decodeRecords(rows), (records) => {
              counts.add(table, records.length)
              return put(records.map(({ record }) => `${JSON.stringify(record)}\n`).join(""))
            })
          )
        )
      )
    )

  const all = Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    yield* Migrations.checkSame
    yield* setFormats
    yield* sql`SELECT count(*) FROM workspaces`
    const migrations = yield* recordedMigrations
    yield* put(`${JSON.stringify({ format: "loopbox-export", version: fileVersion, migrations })}\n`)
    for (const table of tableNames) yield* writeTable(sql, table)
    const written = yield* counts.all
    yield* write(`${JSON.stringify({ counts: written, sha256: hash.digest("hex") })}\n`)
    return written
  })

  const inSnapshot = Effect.flatMap(PgClient.PgClient, (sql) => sql.withTransaction(all)).pipe(
    Effect.provideService(BeginTransaction, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
  )
  return withLongRunningClient(target, {}, inSnapshot)
}

const damaged = (what: string) => refuse("Damaged", `The file can't be imported: ${what}. Nothing was changed.`)

/** Takes a file's lines in order and gives what is to be stored. */
const makeReader = (sql: PgClient.PgClient) => {
  const hash = createHash("sha256")
  const counts = makeCounts()
  let table: TableName | undefined
  let rows: Array<string> = []
  let characters = 0
  let isEnded = false
  let isBegun = false

  const flush = Effect.suspend(() => {
    if (table === undefined || rows.length === 0) return Effect.void
    const into = table
    const batchRows = rows
    rows = []
    characters = 0
    counts.add(into, batchRows.length)
    // The array is parsed once for each row; (r::t).* would be once for each column.
    return Effect.asVoid(sql`INSERT INTO ${sql(into)}
      SELECT r.* FROM unnest(${batchRows}::text[]::${sql(into)}[]) r`)
  })

  const readHeader = Effect.fnUntraced(function* (line: string) {
    const header = yield* Effect.catchTag(decodeHeader(line), "SchemaError", () =>
      damaged("it is no export of Loopbox")
    )
    const here = yield* recordedMigrations
    if (here.join() === header.migrations.join()) return
    return yield* refuse(
      "OtherSchema",
      `The file was exported with the migrations up to ${header.migrations.at(-1)}, this version of Loopbox has ` +
        `${here.at(-1)}. Import it with the version that exported it, then upgrade.`
    )
  })

  const readTrailer = Effect.fnUntraced(function* (trailer: (typeof Trailer)["Type"]) {
    yield* flush
    isEnded = true
    const read = yield* counts.all
    const differing = tableNames.filter((name) => trailer.counts[name] !== read[name])
    if (differing.length > 0) return yield* damaged(`rows are missing in ${differing.join(", ")}`)
    if (trailer.sha256 !== hash.digest("hex")) return yield* damaged("its checksum is wrong")
  })

  const take = Effect.fnUntraced(function* (line: string) {
    if (isEnded) return yield* damaged("it goes on after its end")
    if (line.startsWith('{"counts"')) {
      const trailer = decodeTrailer(line)
      return Result.isFailure(trailer) ? yield* damaged("its last line is broken") : yield* readTrailer(trailer.success)
    }
    hash.update(`${line}\n`)
    if (!isBegun) {
      isBegun = true
      return yield* readHeader(line)
    }
    if (line.startsWith("{")) {
      yield* flush
      const section = yield* Effect.catchTag(decodeSection(line), "SchemaError", () =>
        damaged("it names an unknown table")
      )
      table = section.table
      return
    }
    const record = yield* Effect.catchTag(decodeRow(line), "SchemaError", () => damaged("a row is broken"))
    rows.push(record)
    characters += record.length
    if (rows.length >= batch.rows || characters >= batch.characters) yield* flush
  })

  const end = Effect.suspend(() => (isEnded ? counts.all : damaged("it is cut off")))
  return { take, end }
}

/** What a host that nobody has used has written already, and what the file's rows take the place of. */
const ofAnyHost: ReadonlyArray<TableName> = ["installation", "test_clock", "console_grants", "sweep_turns"]

const checkEmpty = Effect.fnUntraced(function* (sql: PgClient.PgClient) {
  const isFilled = sql.or(
    tableNames.filter((name) => !ofAnyHost.includes(name)).map((name) => sql`EXISTS (SELECT 1 FROM ${sql(name)})`)
  )
  const { found } = yield* one(FoundRow)(sql`SELECT ${isFilled} AS found`).pipe(
    Effect.catchTag("SchemaError", Effect.die)
  )
  if (!found) return
  yield* refuse("NotEmpty", "The database has data already; import into a new one. Nothing was changed.")
})

/**
 * Fills a database with an export, all or nothing; a new one is migrated first.
 *
 * The installation's id, its sealed check and the test clock come along: the database goes on with the blobs, the keys
 * and the time that it had.
 */
export const importDatabase = <E>(
  target: Target,
  text: Stream.Stream<string, E>
): Effect.Effect<Counts, E | ImportRefused | SqlError | Migrations.MigrationRefused> => {
  const all = Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    yield* Migrations.run
    yield* Migrations.checkSame
    // The same lock as migrations: neither runs while the other does, nor two imports at once.
    yield* sql`SELECT pg_advisory_xact_lock(hashtextextended('loopbox:migrate', 0))`
    yield* setFormats
    yield* checkEmpty(sql)
    for (const table of ofAnyHost) yield* sql`DELETE FROM ${sql(table)}`
    if (yield* Effect.catchTag(isDistributed, "SchemaError", Effect.die)) yield* beforeDdl
    // What an older version's writes leave to be counted comes with the rows.
    yield* sql`ALTER TABLE items DISABLE TRIGGER USER`
    const reader = makeReader(sql)
    yield* text.pipe(Stream.splitLines, Stream.runForEach(reader.take))
    yield* sql`ALTER TABLE items ENABLE TRIGGER USER`
    return yield* reader.end
  })

  const importAll = Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const counts = yield* sql.withTransaction(all)
    for (const table of tableNames) yield* sql`ANALYZE ${sql(table)}`
    return counts
  })
  return withLongRunningClient(target, {}, importAll)
}
