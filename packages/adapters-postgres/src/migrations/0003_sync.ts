import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** When an account's token is to be renewed, and whose turn that is. */
const renewals = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE account_credentials
    ADD COLUMN renew_at timestamptz(3),
    ADD COLUMN renewer text,
    ADD COLUMN renewer_until timestamptz(3)`
  // As if each had been given when its account was connected: too early does no harm.
  yield* sql`UPDATE account_credentials c SET renew_at = a.created_at + (a.token_expires_at - a.created_at) / 2
    FROM social_accounts a
    WHERE a.workspace_id = c.workspace_id AND a.id = c.account_id AND a.token_expires_at IS NOT NULL`
})

/** When an account is polled next and by whom it is just now, and how far each of its feeds was read. */
const polls = Effect.gen(function* () {
  const sql = yield* SqlClient

  // Apart from social_accounts, whose row every unit of ingest shares. due_at: by itself; wake_at: then, or when somebody
  // asked.
  yield* sql`CREATE TABLE account_polls (
    workspace_id text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    network text NOT NULL,
    state jsonb,
    due_at timestamptz(3),
    wake_at timestamptz(3),
    lease_token text,
    lease_until timestamptz(3),
    read integer NOT NULL DEFAULT 0,
    new_items integer NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace_id, account_id)
  ) WITH (fillfactor = 50)`
  yield* sql`CREATE INDEX account_polls_wake ON account_polls (network, wake_at, workspace_id, account_id)`
  yield* sql`INSERT INTO account_polls (workspace_id, account_id, network, due_at, wake_at)
    SELECT workspace_id, id, network, created_at, created_at FROM social_accounts WHERE erased_at IS NULL`

  yield* sql`CREATE TABLE sync_feeds (
    workspace_id text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    feed_id text COLLATE "C" NOT NULL,
    state jsonb NOT NULL,
    PRIMARY KEY (workspace_id, account_id, source, feed_id)
  )`

  // What a complete read of a post should have shown.
  yield* sql`CREATE INDEX items_account_post
    ON items (workspace_id, account_id, source, linked_post_id, received_at)
    WHERE kind = 'live' AND linked_post_id IS NOT NULL`
})

/** Who asked for a sync, and what became of each account. */
const runs = Effect.gen(function* () {
  const sql = yield* SqlClient

  yield* sql`CREATE TABLE sync_runs (
    workspace_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    external_user_id text COLLATE "C",
    backfill jsonb,
    created_at timestamptz(3) NOT NULL,
    completed_at timestamptz(3),
    PRIMARY KEY (workspace_id, id)
  )`
  yield* sql`CREATE INDEX sync_runs_purge ON sync_runs (created_at, workspace_id, id)`

  // One account's part of a run; it is waited for as long as it has no result.
  yield* sql`CREATE TABLE sync_tasks (
    workspace_id text COLLATE "C" NOT NULL,
    run_id text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    is_backfill boolean NOT NULL,
    progress jsonb,
    result jsonb,
    PRIMARY KEY (workspace_id, run_id, account_id)
  )`
  yield* sql`CREATE INDEX sync_tasks_pending ON sync_tasks (workspace_id, account_id) WHERE result IS NULL`
  yield* sql`CREATE INDEX sync_tasks_account ON sync_tasks (workspace_id, account_id)`

  yield* sql`CREATE TABLE backfill_confirmations (
    workspace_id text COLLATE "C" NOT NULL,
    token text COLLATE "C" NOT NULL,
    external_user_id text COLLATE "C",
    input jsonb NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    used_by text COLLATE "C",
    PRIMARY KEY (workspace_id, token)
  )`
  yield* sql`CREATE INDEX backfill_confirmations_purge ON backfill_confirmations (expires_at, workspace_id, token)`
})

/** Polling, what it is asked by, and what keeps the tokens alive that it polls with. */
export const syncTables = Effect.andThen(renewals, Effect.andThen(polls, runs))
