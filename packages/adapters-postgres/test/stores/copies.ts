import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Statistics of a table come to be when a test asks for them. */
export const withoutStatistics = Effect.fnUntraced(function* (...tables: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  for (const table of tables) yield* sql`ALTER TABLE ${sql(table)} SET (autovacuum_enabled = false)`
})

/** Copies the only row of a table, with other values for these columns; `n` is the number of the copy. */
export const copy = Effect.fnUntraced(function* (
  table: string,
  count: number,
  columns: Readonly<Record<string, string>>
) {
  const sql = yield* SqlClient.SqlClient
  yield* withoutStatistics(table)
  const changes = Object.entries(columns).map(([name, value]) => `'${name}', ${value}`)
  yield* sql.unsafe(`INSERT INTO ${table} SELECT (c.made).* FROM (SELECT jsonb_populate_record(NULL::${table},
      to_jsonb(r) || jsonb_build_object(${changes.join(", ")})) AS made
    FROM ${table} r, generate_series(1, ${count}) n OFFSET 0) c`)
})

/**
 * A column's text, of which the last five characters are the number of the copy. The one before them is another than it was: an
 * id may end in five digits by itself, and be that of a copy.
 */
export const numbered = (column: string) =>
  `left(r.${column}, -6) || CASE left(right(r.${column}, 6), 1) WHEN 'z' THEN 'y' ELSE 'z' END || lpad(n::text, 5, '0')`
