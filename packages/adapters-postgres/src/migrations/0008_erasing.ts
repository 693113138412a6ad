import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** What erasing is found by: a large account goes in batches, and each begins where the one before it ended. */
export const erasing = Effect.gen(function* () {
  const sql = yield* SqlClient

  // What is left of erased managed users and workspaces beside their accounts. '' is no user: a workspace has none.
  yield* sql`CREATE TABLE erasures (
    workspace_id text COLLATE "C" NOT NULL,
    kind text NOT NULL CHECK (kind IN ('managed_user', 'workspace')),
    external_user_id text COLLATE "C" NOT NULL,
    asked_at timestamptz(3) NOT NULL,
    PRIMARY KEY (workspace_id, kind, external_user_id)
  )`
  yield* sql`CREATE INDEX erasures_due ON erasures (asked_at, workspace_id, kind, external_user_id)`

  yield* sql`CREATE INDEX events_account ON events (workspace_id, account_id, seq) WHERE account_id IS NOT NULL`
  yield* sql`CREATE INDEX events_user ON events (workspace_id, external_user_id) WHERE external_user_id IS NOT NULL`
  // The few that name managed users.
  yield* sql`CREATE INDEX events_moved ON events (workspace_id, account_id) WHERE event ->> '_tag' = 'AccountMoved'`

  yield* sql`CREATE INDEX sync_runs_user ON sync_runs (workspace_id, external_user_id, created_at)
    WHERE external_user_id IS NOT NULL`
  yield* sql`CREATE INDEX backfill_confirmations_user ON backfill_confirmations (workspace_id, external_user_id)
    WHERE external_user_id IS NOT NULL`
  yield* sql`DROP INDEX sync_tasks_account`
  yield* sql`CREATE INDEX sync_tasks_account ON sync_tasks (workspace_id, account_id, run_id)`
})
