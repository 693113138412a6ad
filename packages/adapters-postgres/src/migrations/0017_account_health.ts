import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * What is known of how well accounts are, and when each is looked at next: apart from social_accounts, whose row every
 * unit of ingest shares. Accounts of earlier versions are looked at within an hour, not all at once.
 */
export const accountHealth = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`CREATE TABLE account_health (
    workspace_id text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    checks jsonb,
    subscribed_since timestamptz(3),
    last_webhook_at timestamptz(3),
    found_at timestamptz(3)[] NOT NULL DEFAULT '{}',
    last_poll_at timestamptz(3),
    poll_failures jsonb NOT NULL DEFAULT '[]',
    told jsonb,
    due_at timestamptz(3),
    lease_token text,
    lease_until timestamptz(3),
    PRIMARY KEY (workspace_id, account_id)
  ) WITH (fillfactor = 70)`
  yield* sql`CREATE INDEX account_health_due ON account_health (due_at, workspace_id, account_id) WHERE due_at IS NOT NULL`
  yield* sql`INSERT INTO account_health (workspace_id, account_id, due_at)
    SELECT workspace_id, id, CASE WHEN status <> 'disconnected' THEN now() + random() * interval '1 hour' END
    FROM social_accounts WHERE erased_at IS NULL`
  // Whoever erases a managed user or an account looks for the events that show an account.
  yield* sql`CREATE INDEX events_of_accounts ON events (workspace_id, account_id) WHERE event ->> '_tag' LIKE 'Account%'`
})
