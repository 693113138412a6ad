import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Sessions in which people connect accounts, and the requests of people to delete what is kept of them. */
export const connectSessions = Effect.gen(function* () {
  const sql = yield* SqlClient

  // What a browser brings is kept as its SHA-256 only; what is needed again is sealed.
  yield* sql`CREATE TABLE connect_sessions (
    workspace_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    link_digest bytea NOT NULL,
    sealed_link text NOT NULL,
    network text COLLATE "C" NOT NULL,
    login text COLLATE "C" NOT NULL,
    external_user_id text COLLATE "C",
    status text COLLATE "C" NOT NULL,
    return_url text,
    features jsonb NOT NULL,
    social_account_id text COLLATE "C",
    account_ids jsonb NOT NULL,
    failure jsonb,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    completed_at timestamptz(3),
    PRIMARY KEY (workspace_id, id)
  )`
  yield* sql`CREATE UNIQUE INDEX connect_sessions_link ON connect_sessions (link_digest)`
  yield* sql`CREATE INDEX connect_sessions_purge ON connect_sessions (expires_at, workspace_id, id)`
  yield* sql`CREATE INDEX connect_sessions_user ON connect_sessions (workspace_id, external_user_id)
    WHERE external_user_id IS NOT NULL`

  yield* sql`CREATE TABLE connect_attempts (
    workspace_id text COLLATE "C" NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    number integer NOT NULL,
    state_digest bytea NOT NULL,
    cookie_digest bytea NOT NULL,
    redirect_uri text NOT NULL,
    sealed_verifier text NOT NULL,
    progress jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    PRIMARY KEY (workspace_id, session_id, number)
  )`
  yield* sql`CREATE UNIQUE INDEX connect_attempts_state ON connect_attempts (state_digest)`
  yield* sql`CREATE UNIQUE INDEX connect_attempts_cookie ON connect_attempts (cookie_digest)`
  // Of which accounts is told until they are gone; the person is never named.
  yield* sql`CREATE TABLE deletion_requests (
    code text COLLATE "C" PRIMARY KEY,
    request_digest bytea NOT NULL UNIQUE,
    accounts jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL,
    completed_at timestamptz(3)
  )`
  yield* sql`CREATE INDEX deletion_requests_open ON deletion_requests (created_at, code) WHERE completed_at IS NULL`
  yield* sql`CREATE INDEX deletion_requests_purge ON deletion_requests (completed_at, code)`
  // Meta's callbacks name an account in no workspace, and also one that is disconnected.
  yield* sql`CREATE INDEX social_accounts_named ON social_accounts (network, network_account_id)`
  yield* sql`CREATE INDEX social_accounts_other ON social_accounts (network, other_account_id)
    WHERE other_account_id IS NOT NULL`
  yield* sql`CREATE INDEX connect_attempts_purge ON connect_attempts (expires_at, workspace_id, session_id, number)`
})
