import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { storable, toJson } from "./text.ts"

/** A row's columns beside its workspace; what is no plain value is JSON. */
export type Row = Readonly<Record<string, unknown>>

export interface InsertRows {
  readonly workspaceId: WorkspaceId
  readonly table: string
  /** The name under which what follows means the table's row. */
  readonly as?: string
  readonly columns: ReadonlyArray<string>
  /** At least one; a column that a row does not have is NULL. */
  readonly rows: ReadonlyArray<Row>
  /** Columns in whose order several rows are written, where their locks have one. */
  readonly order?: ReadonlyArray<string>
  /** ON CONFLICT and RETURNING. */
  readonly rest: Fragment
}

const toValue = (value: unknown): string | number | boolean | null => {
  if (value === undefined || value === null) return null
  if (typeof value === "number" || typeof value === "boolean") return value
  return typeof value === "string" ? storable(value) : toJson(value)
}

/**
 * Writes rows of one workspace: one as VALUES, several out of one parameter, whose types are the table's own.
 *
 * Both are what a distributed database takes to the workspace's node as it is, and the second names a row that lies there for
 * that: rows out of a parameter alone it collects on the coordinator first, and sends them in a file of their own, which takes
 * 3 ms on an idle machine. One row is much the most frequent, and by VALUES there a third of the other way.
 */
export const makeInsertRows =
  (sql: SqlClient) =>
  ({ as, columns, order = [], rest, rows, table, workspaceId }: InsertRows) => {
    const into = sql.literal(
      `INSERT INTO ${table}${as === undefined ? "" : ` AS ${as}`} (workspace_id, ${columns.join(", ")})`
    )
    const [only, ...more] = rows
    if (only !== undefined && more.length === 0) {
      return sql`${into} VALUES (${sql.csv([workspaceId, ...columns.map((name) => toValue(only[name]))].map((value) => sql`${value}`))}) ${rest}`
    }
    const given = sql.literal(columns.map((name) => `n.${name}`).join(", "))
    const inOrder = order.length === 0 ? "" : `ORDER BY ${order.map((name) => `n.${name} COLLATE "C"`).join(", ")}`
    return sql`${into} SELECT w.id, ${given}
      FROM workspaces w, jsonb_populate_recordset(NULL::${sql.literal(table)}, ${toJson(rows)}::jsonb) n
      WHERE w.id = ${workspaceId} ${sql.literal(inOrder)} ${rest}`
  }
