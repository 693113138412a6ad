import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Syncs that are waited for: whoever asks for the same joins, and whoever waits looks at no more than this. */
export const waitingSyncs = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`CREATE INDEX sync_runs_waiting ON sync_runs (workspace_id, external_user_id, created_at)
    WHERE completed_at IS NULL`
  yield* sql`CREATE INDEX sync_tasks_waiting ON sync_tasks (workspace_id, run_id) WHERE result IS NULL`
})
