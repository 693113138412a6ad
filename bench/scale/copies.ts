import { Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { mark, markOf } from "./marks.ts"

const Tables = Schema.Array(Schema.Struct({ name: Schema.String }))
const Columns = Schema.Array(Schema.Struct({ name: Schema.String, type: Schema.String }))
const Definitions = Schema.Array(Schema.Struct({ drop: Schema.String, make: Schema.String }))
const Marked = Schema.Array(Schema.Struct({ names: Schema.Array(Schema.String) }))

const rowsOf = <A>(schema: Schema.Codec<A, unknown>, text: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(text)).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(schema))
  )

const run = (text: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(text))

const quoted = (name: string) => `"${name}"`

/** Tables that have rows of the first workspace. */
const findTables = rowsOf(
  Tables,
  `SELECT c.relname AS name FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname NOT IN ('installation', 'loopbox_migrations', 'audit_events', 'scale_copies')
      AND (xpath('/row/n/text()', query_to_xml(format('SELECT count(*) AS n FROM %I', c.relname), false, true, '')))[1]::text <> '0'
    ORDER BY c.relname`
)

/** One row of the table for each copy, with the copy's mark wherever the first workspace's stands. */
const copyTable = Effect.fnUntraced(function* (table: string) {
  const columns = yield* rowsOf(
    Columns,
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type FROM pg_attribute a
      WHERE a.attrelid = '${quoted(table)}'::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      ORDER BY a.attnum`
  )
  const places = columns.map(
    ({ name }) => `CASE WHEN bool_or(${quoted(name)}::text LIKE '%${mark}%') THEN '${name}' END`
  )
  const [found] = yield* rowsOf(
    Marked,
    `SELECT array_remove(ARRAY[${places.join(", ")}], NULL) AS names FROM ${quoted(table)}`
  )
  const marked = new Set(found?.names)
  const values = columns.map(({ name, type }) =>
    marked.has(name) ? `replace(t.${quoted(name)}::text, '${mark}', c.mark)::${type}` : `t.${quoted(name)}`
  )
  // For each row of the first workspace all copies of it: rows of one workspace lie far apart, as they do when they come in.
  yield* run(`INSERT INTO ${quoted(table)} (${columns.map(({ name }) => quoted(name)).join(", ")})
    SELECT ${values.join(", ")} FROM ${quoted(table)} t
    CROSS JOIN LATERAL (SELECT mark FROM scale_copies WHERE t IS DISTINCT FROM NULL OFFSET 0) c`)
})

/** Keys and indexes are made at the end, as by a restore: a fraction of the time. */
const findDefinitions = rowsOf(
  Definitions,
  `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u')
      AND conrelid::regclass::text IN ('items', 'item_words', 'threads', 'events', 'author_profiles', 'outgoing_deliveries')
    UNION ALL
    SELECT format('DROP INDEX %I', indexname), indexdef FROM pg_indexes i
    WHERE schemaname = 'public'
      AND tablename IN ('items', 'item_words', 'threads', 'events', 'author_profiles', 'outgoing_deliveries')
      AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = format('%I', i.indexname)::regclass)`
)

/** Copies the first workspace until there are so many. */
export const copyFirst = Effect.fnUntraced(function* (workspaces: number) {
  yield* run(
    `CREATE TABLE scale_copies AS SELECT n, ${markOf("n")} AS mark FROM generate_series(1, ${workspaces - 1}) n`
  )
  const tables = yield* findTables
  const definitions = yield* findDefinitions
  for (const text of ["SET maintenance_work_mem = '512MB'", ...definitions.map(({ drop }) => drop)]) yield* run(text)
  for (const { name } of tables) {
    const [took] = yield* Effect.timed(copyTable(name))
    yield* Effect.logInfo(`${name}: ${Duration.format(took)}`)
  }
  for (const { make } of definitions) {
    const [took] = yield* Effect.timed(run(make))
    yield* Effect.logInfo(`${make.slice(0, 60)}: ${Duration.format(took)}`)
  }
  yield* run("VACUUM ANALYZE")
})
