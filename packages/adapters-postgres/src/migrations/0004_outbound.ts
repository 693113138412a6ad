import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Replies, and what is known of the posts that items hang on.
 *
 * The whole operation is one document; the columns beside it are what it is found by.
 */
export const outboundTables = Effect.gen(function* () {
  const sql = yield* SqlClient

  yield* sql`CREATE TABLE outbound_operations (
    workspace_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    item_id text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    idempotency_key text COLLATE "C",
    status text COLLATE "C" NOT NULL,
    response_external_id text COLLATE "C",
    operation jsonb NOT NULL,
    due_at timestamptz(3),
    lease_until timestamptz(3),
    lease_token text,
    ended_at timestamptz(3),
    PRIMARY KEY (workspace_id, id),
    CHECK ((ended_at IS NULL) = (status IN ('pending', 'sending', 'outcome_unknown', 'remote_succeeded')))
  )`
  yield* sql`CREATE UNIQUE INDEX outbound_operations_key
    ON outbound_operations (workspace_id, item_id, idempotency_key) WHERE idempotency_key IS NOT NULL`
  yield* sql`CREATE UNIQUE INDEX outbound_operations_response
    ON outbound_operations (workspace_id, account_id, response_external_id) WHERE response_external_id IS NOT NULL`
  yield* sql`CREATE INDEX outbound_operations_open ON outbound_operations (workspace_id, account_id, id)
    WHERE status IN ('sending', 'outcome_unknown')`
  yield* sql`CREATE INDEX outbound_operations_account ON outbound_operations (workspace_id, account_id, id)`
  yield* sql`CREATE INDEX outbound_operations_due ON outbound_operations (due_at, workspace_id, id)
    WHERE due_at IS NOT NULL`
  yield* sql`CREATE INDEX outbound_operations_purge ON outbound_operations (ended_at, workspace_id, id)
    WHERE ended_at IS NOT NULL`

  // A post without a context is gone.
  yield* sql`CREATE TABLE media_contexts (
    workspace_id text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    post_id text COLLATE "C" NOT NULL,
    context jsonb,
    fetched_at timestamptz(3) NOT NULL,
    PRIMARY KEY (workspace_id, account_id, post_id)
  )`
  yield* sql`CREATE INDEX media_contexts_purge ON media_contexts (fetched_at, workspace_id, account_id, post_id)`
})
