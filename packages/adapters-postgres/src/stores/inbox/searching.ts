import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Runs the statements of one search in a transaction with settings of its own: whatever the planner takes the words for, it
 * is never better to read the items of all workspaces, and compiling a statement takes longer than any of them may.
 */
export const makeSearching = Effect.map(SqlClient, (sql) => {
  const settings = sql`SET LOCAL enable_seqscan = off`
  return <A, E, R>(search: Effect.Effect<A, E, R>) => sql.withTransaction(Effect.andThen(settings, search))
})
