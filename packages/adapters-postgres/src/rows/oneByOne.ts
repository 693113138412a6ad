import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * True of every place of `unnest(…) WITH ORDINALITY`; the planner takes it for true of few, and looks each row that is named
 * up by its unique key.
 *
 * Without it a join is planned by how many rows a workspace is thought to have. Before the first statistics, and of a
 * workspace that has grown since the last, that is far too few, and all that it has are read to find some.
 */
export const oneByOne = (sql: SqlClient, place: Fragment): Fragment => sql`${place} > 0 AND ${place} < 1000000`

/**
 * Rows of texts, one array for each column, that what follows looks up one by one.
 *
 * The planner takes them for one, whether it knows how many they are or not. Otherwise a statement seems to be cheaper with
 * each call's own rows than with any, and is planned anew by every call, which takes longer than to look up a few.
 */
export const namedRows = (sql: SqlClient, columns: Readonly<Record<string, ReadonlyArray<string>>>): Fragment => {
  const names = Object.keys(columns).join(", ")
  const arrays = sql.join(", ", false)(Object.values(columns).map((texts) => sql`${texts}::text[]`))
  return sql`(SELECT ${sql.literal(names)} FROM unnest(${arrays}) WITH ORDINALITY AS named (${sql.literal(names)}, place)
    WHERE ${oneByOne(sql, sql.literal("place"))})`
}

/** `ANY` of these, which the planner takes for as many whether it knows them or not: as `namedRows`, for a statement that is planned once. */
export const anyOf = (sql: SqlClient, texts: ReadonlyArray<string>): Fragment =>
  sql`ANY(ARRAY(SELECT unnest(${texts}::text[])))`

/**
 * `deleted_at IS NULL` of files that are named by their ids, in words by which no index of kept files answers: before the first
 * statistics the planner takes a workspace's files for one, and reads all of them to find it.
 */
export const isKeptFile = "coalesce(deleted_at, 'infinity') = 'infinity'"
