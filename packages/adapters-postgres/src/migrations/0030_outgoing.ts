import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Endpoints, their secrets, and the state of their queues. */
const endpoints = Effect.gen(function* () {
  const sql = yield* SqlClient

  // since_seq: events after it are for it. removed_at: nobody sees it, and its deliveries are being removed.
  yield* sql`CREATE TABLE outgoing_endpoints (
    workspace_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    external_user_id text COLLATE "C",
    url text NOT NULL,
    events text[],
    description text,
    status text COLLATE "C" NOT NULL,
    status_reason text COLLATE "C",
    is_ordered boolean NOT NULL,
    since_seq bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    last_success_at timestamptz(3),
    last_failure_at timestamptz(3),
    failing_since timestamptz(3),
    failures_in_row integer NOT NULL,
    removed_at timestamptz(3),
    PRIMARY KEY (workspace_id, id)
  ) WITH (fillfactor = 50)`
  yield* sql`CREATE INDEX outgoing_endpoints_list ON outgoing_endpoints (workspace_id, created_at, id)
    WHERE removed_at IS NULL`
  yield* sql`CREATE INDEX outgoing_endpoints_user ON outgoing_endpoints (workspace_id, external_user_id)
    WHERE external_user_id IS NOT NULL`
  yield* sql`CREATE INDEX outgoing_endpoints_removed ON outgoing_endpoints (removed_at, workspace_id, id)
    WHERE removed_at IS NOT NULL`

  // The one with the greatest number is the newest.
  yield* sql`CREATE TABLE outgoing_secrets (
    workspace_id text COLLATE "C" NOT NULL,
    endpoint_id text COLLATE "C" NOT NULL,
    number integer NOT NULL,
    sealed text NOT NULL,
    valid_until timestamptz(3),
    PRIMARY KEY (workspace_id, endpoint_id, number)
  )`

  // One for each endpoint. epoch: deliveries of earlier ones are canceled, and has_canceled as long as their rows don't
  // say so. next_at: no delivery that nobody holds is due earlier. from_seq, of an ordered one: no pending delivery is of
  // an earlier event. held: deliveries that are claimed; no lease of them ends before held_until.
  yield* sql`CREATE TABLE outgoing_lanes (
    workspace_id text COLLATE "C" NOT NULL,
    endpoint_id text COLLATE "C" NOT NULL,
    is_ordered boolean NOT NULL,
    epoch integer NOT NULL DEFAULT 0,
    has_canceled boolean NOT NULL DEFAULT false,
    next_at timestamptz(3),
    from_seq bigint,
    is_full boolean NOT NULL DEFAULT false,
    held text[] NOT NULL DEFAULT '{}',
    held_until timestamptz(3),
    PRIMARY KEY (workspace_id, endpoint_id)
  ) WITH (fillfactor = 50)`
  yield* sql`CREATE INDEX outgoing_lanes_due ON outgoing_lanes (next_at, workspace_id, endpoint_id)
    WHERE next_at IS NOT NULL AND NOT is_full`
  yield* sql`CREATE INDEX outgoing_lanes_held ON outgoing_lanes (held_until, workspace_id, endpoint_id)
    WHERE held_until IS NOT NULL`
  yield* sql`CREATE INDEX outgoing_lanes_canceled ON outgoing_lanes (workspace_id, endpoint_id) WHERE has_canceled`

  // Of workspaces that have, or had, endpoints: up to which event deliveries are written.
  yield* sql`CREATE TABLE outgoing_positions (
    workspace_id text COLLATE "C" PRIMARY KEY,
    position bigint NOT NULL
  ) WITH (fillfactor = 50)`
})

/**
 * Deliveries, with the log of their attempts. due_at is set as long as one is pending.
 *
 * A claim writes the lease only, which is in no index.
 */
const deliveries = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`CREATE TABLE outgoing_deliveries (
    workspace_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    endpoint_id text COLLATE "C" NOT NULL,
    message_id text NOT NULL,
    event_type text COLLATE "C" NOT NULL,
    event_seq bigint,
    epoch integer NOT NULL DEFAULT 0,
    account_id text COLLATE "C",
    external_user_id text COLLATE "C",
    body text NOT NULL,
    status text COLLATE "C" NOT NULL,
    attempts integer NOT NULL,
    attempts_in_schedule integer NOT NULL,
    log jsonb NOT NULL DEFAULT '[]',
    due_at timestamptz(3),
    lease_until timestamptz(3),
    lease_token text,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (workspace_id, id),
    CHECK ((due_at IS NOT NULL) = (status = 'pending'))
  ) WITH (fillfactor = 70)`
  yield* sql`CREATE UNIQUE INDEX outgoing_deliveries_event ON outgoing_deliveries (workspace_id, endpoint_id, event_seq)
    WHERE event_seq IS NOT NULL`
  yield* sql`CREATE INDEX outgoing_deliveries_due ON outgoing_deliveries
    (workspace_id, endpoint_id, epoch, due_at, id) WHERE due_at IS NOT NULL`
  yield* sql`CREATE INDEX outgoing_deliveries_list
    ON outgoing_deliveries (workspace_id, endpoint_id, status, created_at, id)`
  yield* sql`CREATE INDEX outgoing_deliveries_purge ON outgoing_deliveries (created_at, workspace_id, id)
    WHERE due_at IS NULL`
  // They go with their account, and with the managed user whom they name.
  yield* sql`CREATE INDEX outgoing_deliveries_account ON outgoing_deliveries (workspace_id, account_id, id)
    WHERE account_id IS NOT NULL`
  yield* sql`CREATE INDEX outgoing_deliveries_user ON outgoing_deliveries (workspace_id, external_user_id, id)
    WHERE external_user_id IS NOT NULL`
})

/** Webhook endpoints and what is sent to them. An older version writes events as before and does not look at these. */
export const outgoing = Effect.andThen(endpoints, deliveries)
