import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { all } from "../rows/rows.ts"
import { tableNames } from "../tables.ts"

const TableRow = Schema.Struct({ name: Schema.String })

/** A smaller table is read quickly, whatever is believed of it; 8 MiB are some 10,000 rows. */
const smallest_bytes = 8 * 1024 * 1024

/**
 * Large tables of which the planner knows nothing, by name; with `mend` they are counted now.
 *
 * A dump brings no statistics. Where autovacuum makes none for minutes, or is off, statements are planned as if every workspace
 * had a row or two.
 */
export const examineStatistics = Effect.fnUntraced(
  function* ({ mend }: { readonly mend: boolean }) {
    const sql = yield* SqlClient
    const rows = yield* all(TableRow)(sql`SELECT c.relname AS name FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY(${[...tableNames]}::text[])
      AND pg_relation_size(c.oid) >= ${smallest_bytes}::bigint
      AND NOT EXISTS (SELECT 1 FROM pg_stats s WHERE s.schemaname = current_schema() AND s.tablename = c.relname)
    ORDER BY c.relname`)
    if (mend) yield* Effect.forEach(rows, ({ name }) => sql`ANALYZE ${sql(name)}`, { discard: true })
    return rows.map(({ name }) => name)
  },
  Effect.catchTag("SchemaError", Effect.die)
)
