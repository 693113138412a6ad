import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { toJson } from "./text.ts"

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

/**
 * Records out of JSON, as `namedRows`; `columns` with their types. For an UPDATE or a DELETE that is joined to their keys, for
 * which LATERAL is no help.
 *
 * Such a statement names its workspace, and takes all other columns of the key from here, the account too. Where it names the
 * account itself, the planner takes all rows of that for one, which then costs the same as to look each up by its key.
 */
export const namedRecords = (
  sql: SqlClient,
  columns: Readonly<Record<string, string>>,
  records: ReadonlyArray<Readonly<Record<string, unknown>>>
): Fragment => {
  const names = Object.keys(columns).join(", ")
  const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
  return sql`(SELECT ${sql.literal(names)} FROM ROWS FROM (
      jsonb_to_recordset(${toJson(records)}::jsonb) AS (${sql.literal(typed.join(", "))})
    ) WITH ORDINALITY AS named (${sql.literal(names)}, place) WHERE ${oneByOne(sql, sql.literal("place"))})`
}

/**
 * Whether a row is the one that `named` names, by columns of an index that stand there in this order.
 *
 * The comparison says nothing new. Without it the planner takes another index that has only the first of these columns for no worse
 * before the first statistics, and reads all rows that have these.
 */
export const isNamedByKey = (row: string, named: string, columns: ReadonlyArray<string>): string => {
  const last = columns.slice(-2)
  const placeOf = (table: string) => last.map((name) => `${table}.${name}`).join(", ")
  const same = columns.map((name) => `${row}.${name} = ${named}.${name}`).join(" AND ")
  return `${same} AND (${placeOf(row)}) >= (${placeOf(named)})`
}

/** `ANY` of these, which the planner takes for as many whether it knows them or not: as `namedRows`, for a statement that is planned once. */
export const anyOf = (sql: SqlClient, texts: ReadonlyArray<string>): Fragment =>
  sql`ANY(ARRAY(SELECT unnest(${texts}::text[])))`

/**
 * `deleted_at IS NULL` of files that are named by their ids, in words by which no index of kept files answers: before the first
 * statistics the planner takes a workspace's files for one, and reads all of them to find it.
 */
export const isKeptFile = "coalesce(deleted_at, 'infinity') = 'infinity'"
