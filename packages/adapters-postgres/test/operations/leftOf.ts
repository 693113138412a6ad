import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { tables } from "../../src/tables.ts"

const Counted = Schema.Struct({ count: Schema.Int })
const WithWorkspace = Schema.Struct({ name: Schema.String })

/** Where something of a workspace, and of one account if it is named, is left. */
export const leftOf = Effect.fnUntraced(function* (workspaceId: WorkspaceId, accountId?: string) {
  const sql = yield* SqlClient.SqlClient
  const column = accountId === undefined ? "workspace_id" : "account_id"
  const found =
    yield* sql`SELECT table_name AS name FROM information_schema.columns WHERE column_name = ${column}`.pipe(
      Effect.flatMap(Schema.decodeUnknownEffect(Schema.Array(WithWorkspace)))
    )
  const left: Array<string> = []
  for (const { name } of found.filter((table) => tables.some((known) => known.name === table.name))) {
    const [row] = yield* sql`SELECT count(*)::int AS count FROM ${sql(name)}
      WHERE ${sql(column)} = ${accountId ?? workspaceId}`
    if ((yield* Schema.decodeUnknownEffect(Counted)(row)).count > 0) left.push(name)
  }
  return left.toSorted()
})
