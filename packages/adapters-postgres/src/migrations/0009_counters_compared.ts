import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** When the unread counters were last compared with their items: by one process of all, however long each lives. */
export const countersCompared = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE installation ADD COLUMN counters_compared_at timestamptz DEFAULT now()`
})
