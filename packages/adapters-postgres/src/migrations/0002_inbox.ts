import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Managed users, connected accounts with their credentials and routes, and webhook deliveries. */
const accounts = Effect.gen(function* () {
  const sql = yield* SqlClient

  yield* sql`CREATE TABLE managed_users (
    workspace_id text COLLATE "C" NOT NULL,
    external_user_id text COLLATE "C" NOT NULL,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (workspace_id, external_user_id)
  )`
  yield* sql`CREATE INDEX managed_users_newest
    ON managed_users (workspace_id, created_at DESC, external_user_id DESC)`

  // One that is erased is disconnected, and stays only until the last of its items is gone.
  yield* sql`CREATE TABLE social_accounts (
    workspace_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    network text NOT NULL,
    network_account_id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    username text,
    avatar_url text,
    external_user_id text COLLATE "C",
    status text NOT NULL CHECK (status IN ('connected', 'reauth_required', 'disconnected')),
    disconnected_at timestamptz(3),
    erased_at timestamptz(3),
    token_expires_at timestamptz(3),
    permissions jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (workspace_id, id),
    CHECK ((disconnected_at IS NOT NULL) = (status = 'disconnected')),
    CHECK (erased_at IS NULL OR status = 'disconnected')
  )`
  yield* sql`CREATE UNIQUE INDEX social_accounts_network
    ON social_accounts (workspace_id, network, network_account_id) WHERE erased_at IS NULL`
  yield* sql`CREATE INDEX social_accounts_newest ON social_accounts (workspace_id, created_at DESC, id DESC)
    WHERE erased_at IS NULL`
  yield* sql`CREATE INDEX social_accounts_owner ON social_accounts (workspace_id, external_user_id, id)
    WHERE external_user_id IS NOT NULL`
  yield* sql`CREATE INDEX social_accounts_hidden ON social_accounts (workspace_id, id)
    WHERE status = 'disconnected'`
  yield* sql`CREATE INDEX social_accounts_purge ON social_accounts (disconnected_at, workspace_id, id)
    WHERE disconnected_at IS NOT NULL`
  yield* sql`CREATE INDEX social_accounts_erased ON social_accounts (erased_at, workspace_id, id)
    WHERE erased_at IS NOT NULL`

  yield* sql`CREATE TABLE account_credentials (
    workspace_id text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    sealed text NOT NULL,
    PRIMARY KEY (workspace_id, account_id)
  )`

  // A routing table: what webhooks call an account leads to every workspace that has connected it.
  yield* sql`CREATE TABLE account_routes (
    network text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('id', 'username')),
    value text COLLATE "C" NOT NULL,
    workspace_id text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    PRIMARY KEY (network, kind, value, workspace_id, account_id)
  )`
  yield* sql`CREATE INDEX account_routes_account ON account_routes (workspace_id, account_id)`

  yield* sql`CREATE TABLE webhook_deliveries (
    id text COLLATE "C" PRIMARY KEY,
    endpoint text NOT NULL,
    body bytea NOT NULL,
    state text NOT NULL CHECK (state IN ('pending', 'done', 'failed')),
    reason text NOT NULL DEFAULT '',
    attempts integer NOT NULL DEFAULT 0,
    arrived_at timestamptz(3) NOT NULL,
    claimable_at timestamptz(3),
    lease_token text,
    ended_at timestamptz(3),
    CHECK ((claimable_at IS NOT NULL) = (state = 'pending')),
    CHECK ((ended_at IS NULL) = (state = 'pending'))
  )`
  yield* sql`CREATE INDEX webhook_deliveries_claimable ON webhook_deliveries (claimable_at, id)
    WHERE claimable_at IS NOT NULL`
  yield* sql`CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (arrived_at DESC, id DESC)
    WHERE state = 'failed'`
  yield* sql`CREATE INDEX webhook_deliveries_purge ON webhook_deliveries (state, ended_at, id)
    WHERE ended_at IS NOT NULL`

  // Whose unit of a delivery is done.
  yield* sql`CREATE TABLE webhook_units (
    workspace_id text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    delivery_id text COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace_id, account_id, delivery_id)
  )`
  yield* sql`CREATE INDEX webhook_units_delivery ON webhook_units (delivery_id)`
})

/**
 * Indexes of the lists. A list without a source merges the sources, so that each filter needs two indexes only: of the
 * workspace, and of one account for managed users, whose accounts are merged.
 */
const listIndexes = {
  items_newest: "workspace_id, source, received_at, id",
  items_thread: "workspace_id, thread_key, source, received_at, id",
  items_status: "workspace_id, source, thread_status, received_at, id",
  items_assignee: "workspace_id, source, assignee, received_at, id",
  items_account: "workspace_id, account_id, source, received_at, id",
  items_account_thread: "workspace_id, account_id, source, thread_key, received_at, id",
  items_account_status: "workspace_id, account_id, source, thread_status, received_at, id",
  items_account_assignee: "workspace_id, account_id, source, assignee, received_at, id"
}

/** Items, threads, counters, authors and events. */
const inbox = Effect.gen(function* () {
  const sql = yield* SqlClient

  // items: how many a thread was ever given. What is deleted stays counted, and a large thread stays large.
  yield* sql`CREATE TABLE threads (
    workspace_id text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    thread_key text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL CHECK (status IN ('open', 'assigned', 'resolved')),
    assignee text COLLATE "C" NOT NULL,
    items integer NOT NULL DEFAULT 0,
    is_large boolean NOT NULL DEFAULT false,
    PRIMARY KEY (workspace_id, account_id, source, thread_key)
  ) WITH (fillfactor = 80)`
  yield* sql`CREATE INDEX threads_large ON threads (workspace_id, account_id, source) WHERE is_large`

  // thread_status and assignee are the thread's, repeated so that lists need no join; '' is nobody. Items of a large
  // thread have no copy, both are NULL: there a move writes one row instead of all of theirs.
  yield* sql`CREATE TABLE items (
    workspace_id text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    external_id text COLLATE "C" NOT NULL,
    kind text NOT NULL CHECK (kind IN ('live', 'awaited', 'deleted', 'alias')),
    id text COLLATE "C",
    thread_key text COLLATE "C",
    thread_status text COLLATE "C",
    assignee text COLLATE "C",
    is_read boolean,
    is_own boolean,
    is_hidden boolean,
    received_at timestamptz(3),
    created_at timestamptz(3),
    edited_at timestamptz(3),
    parent_external_id text,
    linked_post_id text,
    author_id text COLLATE "C",
    author_name text,
    author_avatar_url text,
    body text,
    attachments jsonb,
    url text,
    alias_of text COLLATE "C",
    detail jsonb,
    PRIMARY KEY (workspace_id, account_id, source, external_id),
    CHECK (kind <> 'live' OR (id IS NOT NULL AND thread_key IS NOT NULL
      AND (thread_status IS NULL) = (assignee IS NULL) AND is_read IS NOT NULL AND is_own IS NOT NULL
      AND is_hidden IS NOT NULL AND received_at IS NOT NULL AND created_at IS NOT NULL AND body IS NOT NULL AND attachments IS NOT NULL
      AND detail IS NOT NULL))
  )`
  yield* sql`CREATE UNIQUE INDEX items_id ON items (workspace_id, id) WHERE kind = 'live'`
  for (const [name, columns] of Object.entries(listIndexes)) {
    yield* sql`CREATE INDEX ${sql(name)} ON items (${sql.literal(columns)}) WHERE kind = 'live'`
  }
  yield* sql`CREATE INDEX items_unread ON items (workspace_id, source, received_at, id)
    WHERE kind = 'live' AND NOT is_read`
  yield* sql`CREATE INDEX items_account_unread ON items (workspace_id, account_id, source, received_at, id)
    WHERE kind = 'live' AND NOT is_read`
  yield* sql`CREATE INDEX items_nameless ON items (workspace_id, account_id, author_id)
    WHERE kind = 'live' AND author_name IS NULL AND NOT is_own`

  yield* sql`CREATE TABLE unread_counters (
    workspace_id text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    unread integer NOT NULL,
    PRIMARY KEY (workspace_id, account_id, source)
  ) WITH (fillfactor = 50)`

  // Authors whom a network named by id only; claimable_at is set until the network has answered.
  yield* sql`CREATE TABLE author_profiles (
    workspace_id text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    person_id text COLLATE "C" NOT NULL,
    source text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    claimable_at timestamptz(3),
    lease_token text,
    name text,
    avatar_url text,
    PRIMARY KEY (workspace_id, account_id, person_id)
  )`
  yield* sql`CREATE INDEX author_profiles_claimable
    ON author_profiles (claimable_at, workspace_id, account_id, person_id) WHERE claimable_at IS NOT NULL`

  yield* sql`CREATE TABLE workspace_seq (
    workspace_id text COLLATE "C" PRIMARY KEY,
    last bigint NOT NULL,
    removed bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 20)`

  // new_item_id: which number an item's own event has, as long as the event is kept; older items have lower ones.
  yield* sql`CREATE TABLE events (
    workspace_id text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    at timestamptz(3) NOT NULL,
    account_id text COLLATE "C",
    external_user_id text COLLATE "C",
    new_item_id text COLLATE "C",
    event jsonb NOT NULL,
    PRIMARY KEY (workspace_id, seq)
  )`
  yield* sql`CREATE INDEX events_new_item ON events (workspace_id, new_item_id) WHERE new_item_id IS NOT NULL`
  yield* sql`CREATE INDEX events_purge ON events (at, workspace_id)`
})

/** The inbox. Items of all kinds lie in one table: one key says once and for all what is known of an activity. */
export const inboxTables = Effect.andThen(accounts, inbox)
