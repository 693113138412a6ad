import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { all } from "../rows/rows.ts"
import type { Place } from "../tables.ts"
import type { Placed } from "./places.ts"

const ForeignKeyRow = Schema.Struct({
  name: Schema.String,
  from: Schema.String,
  to: Schema.String,
  columns: Schema.Array(Schema.String),
  target_columns: Schema.Array(Schema.String)
})

const IndexRow = Schema.Struct({ name: Schema.String, table: Schema.String, columns: Schema.Array(Schema.String) })
const TriggerRow = Schema.Struct({ name: Schema.String, table: Schema.String, reason: Schema.String })

const columnsOf = (relation: string, numbers: string) =>
  `coalesce((SELECT array_agg(a.attname::text ORDER BY u.place) FROM unnest(${numbers}::int2[]) WITH ORDINALITY
    AS u (number, place) JOIN pg_attribute a ON a.attrelid = ${relation} AND a.attnum = u.number), '{}')`

const columnOf = (place: Place | undefined) => (typeof place === "object" ? place.by : undefined)

type ForeignKey = (typeof ForeignKeyRow)["Type"]

/** Both ends are found on the same node: beside their workspace, or because one is everywhere. */
const canBeKept = ({ columns, from, target_columns, to }: ForeignKey, places: ReadonlyMap<string, Place>): boolean => {
  const [source, target] = [places.get(from), places.get(to)]
  if (target === "reference") return source !== "coordinator"
  const [by, targetBy] = [columnOf(source), columnOf(target)]
  if (by === undefined || targetBy === undefined) return source === "coordinator" && target === "coordinator"
  return columns.includes(by) && target_columns[columns.indexOf(by)] === targetBy
}

/**
 * What the schema has that can't be kept once these tables lie where they belong, one sentence each: foreign keys between
 * rows of different nodes, uniqueness over more than a workspace, triggers that belong to constraints or extensions.
 */
export const readUnsupported = Effect.fnUntraced(function* (tables: ReadonlyArray<Placed>) {
  const sql = yield* SqlClient
  const places = new Map(tables.map(({ name, place }) => [name, place]))
  const names = Array.from(places.keys())
  const foreignKeys = yield* all(ForeignKeyRow)(sql`SELECT k.conname AS name, s.relname AS from, t.relname AS to,
      ${sql.literal(columnsOf("k.conrelid", "k.conkey"))} AS columns,
      ${sql.literal(columnsOf("k.confrelid", "k.confkey"))} AS target_columns
    FROM pg_constraint k JOIN pg_class s ON s.oid = k.conrelid JOIN pg_class t ON t.oid = k.confrelid
    WHERE k.contype = 'f' AND k.conparentid = 0 AND s.relnamespace = current_schema()::regnamespace
      AND (s.relname = ANY(${names}::text[]) OR t.relname = ANY(${names}::text[])) ORDER BY 1`)
  const indexes = yield* all(IndexRow)(sql`SELECT i.relname AS name, t.relname AS table,
      ${sql.literal(columnsOf("x.indrelid", "x.indkey"))} AS columns
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
    WHERE (x.indisunique OR x.indisexclusion) AND t.relnamespace = current_schema()::regnamespace
      AND t.relname = ANY(${names}::text[]) ORDER BY 1`)
  const triggers = yield* all(TriggerRow)(sql`SELECT g.tgname AS name, t.relname AS table,
      CASE WHEN g.tgconstraint <> 0 THEN 'is a constraint' ELSE 'belongs to an extension' END AS reason
    FROM pg_trigger g JOIN pg_class t ON t.oid = g.tgrelid
    WHERE NOT g.tgisinternal AND t.relnamespace = current_schema()::regnamespace AND t.relname = ANY(${names}::text[])
      AND (g.tgconstraint <> 0 OR EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_trigger'::regclass
        AND d.objid = g.oid AND d.deptype IN ('e', 'x'))) ORDER BY 1`)
  return [
    ...foreignKeys
      .filter((key) => !canBeKept(key, places))
      .map(({ from, name, to }) => `the foreign key ${name} of ${from} refers to rows of ${to} on other nodes`),
    ...indexes.flatMap(({ columns, name, table }) => {
      const by = columnOf(places.get(table))
      return by === undefined || columns.includes(by)
        ? []
        : [`the index ${name} of ${table} makes unique over all nodes, for it has no ${by}`]
    }),
    ...triggers.map(({ name, reason, table }) => `the trigger ${name} of ${table} ${reason}`)
  ]
})
