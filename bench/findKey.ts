import type { QueryResultRow } from "pg"
import type { SqlText } from "./listStatements.ts"

export interface KeyRow extends QueryResultRow {
  readonly secret_hash: string
  readonly expires_at: Date | null
  readonly creator_user_id: string | null
  readonly creator_role: string | null
  readonly workspace_id: string
  readonly plan: string
}

type Query = <Row extends QueryResultRow>(name: string, statement: SqlText) => Promise<ReadonlyArray<Row>>

/** The key with its workspace and its creator, each statement after the one before it. */
export const findKey = async (query: Query, statements: ReadonlyArray<SqlText>): Promise<KeyRow | undefined> => {
  let found: KeyRow | undefined
  for (const [n, statement] of statements.entries()) {
    const [row] = await query<KeyRow>(`key ${n}`, statement)
    if (row === undefined) return undefined
    found = { ...found, ...row }
  }
  return found
}
