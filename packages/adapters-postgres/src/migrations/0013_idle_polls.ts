import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Accounts that are not connected leave the queue of polls: versions before wrote their next poll, and every claim passed
 * over them. Rows of which a version that still serves has hold, or that it has just made due, are left alone.
 */
export const idlePolls = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    WITH idle AS MATERIALIZED (
      SELECT p.workspace_id, p.account_id FROM account_polls p
      JOIN social_accounts a ON a.workspace_id = p.workspace_id AND a.id = p.account_id
      WHERE a.status <> 'connected' AND p.wake_at < now() - interval '10 minutes'
        AND (p.lease_until IS NULL OR p.lease_until < now() - interval '10 minutes')
        AND NOT EXISTS (SELECT 1 FROM sync_tasks t
          WHERE t.workspace_id = p.workspace_id AND t.account_id = p.account_id AND t.result IS NULL)
      FOR NO KEY UPDATE OF p SKIP LOCKED
    )
    UPDATE account_polls p SET due_at = NULL, wake_at = NULL
    FROM idle i WHERE p.workspace_id = i.workspace_id AND p.account_id = i.account_id`
  // Polled while nobody polled by itself: due for the worker that does.
  yield* sql`
    WITH never AS MATERIALIZED (
      SELECT p.workspace_id, p.account_id FROM account_polls p
      JOIN social_accounts a ON a.workspace_id = p.workspace_id AND a.id = p.account_id
      WHERE a.status = 'connected' AND p.due_at IS NULL AND p.lease_until IS NULL
      FOR NO KEY UPDATE OF p SKIP LOCKED
    )
    UPDATE account_polls p SET due_at = now(), wake_at = least(p.wake_at, now())
    FROM never n WHERE p.workspace_id = n.workspace_id AND p.account_id = n.account_id`
  // What a webhook announced is polled although nothing is polled by itself.
  yield* sql`CREATE INDEX IF NOT EXISTS account_polls_hinted ON account_polls (hint_due_at) WHERE hint_due_at IS NOT NULL`
})
