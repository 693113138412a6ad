import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Posts and their targets.
 *
 * The whole post and the whole target are one document each; the columns beside it are what it is found by.
 */
export const postTables = Effect.gen(function* () {
  const sql = yield* SqlClient

  yield* sql`CREATE TABLE posts (
    workspace_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    external_user_id text COLLATE "C",
    idempotency_key text COLLATE "C",
    status text COLLATE "C" NOT NULL,
    media_ids jsonb NOT NULL,
    post jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL,
    ended_at timestamptz(3),
    PRIMARY KEY (workspace_id, id)
  )`
  yield* sql`CREATE UNIQUE INDEX posts_key ON posts (workspace_id, idempotency_key) WHERE idempotency_key IS NOT NULL`
  yield* sql`CREATE INDEX posts_list ON posts (workspace_id, created_at, id)`
  yield* sql`CREATE INDEX posts_user ON posts (workspace_id, external_user_id, created_at, id)
    WHERE external_user_id IS NOT NULL`
  // Files of what may still be published are in use.
  yield* sql`CREATE INDEX posts_media ON posts USING gin (media_ids jsonb_path_ops) WHERE ended_at IS NULL`
  yield* sql`CREATE INDEX posts_purge ON posts (ended_at, workspace_id, id) WHERE ended_at IS NOT NULL`

  yield* sql`CREATE TABLE post_targets (
    workspace_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    post_id text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    place integer NOT NULL,
    network text COLLATE "C",
    status text COLLATE "C" NOT NULL,
    target jsonb NOT NULL,
    post_ids jsonb,
    due_at timestamptz(3),
    is_beginning boolean NOT NULL,
    is_busy boolean NOT NULL,
    lease_until timestamptz(3),
    lease_token text,
    ended_at timestamptz(3),
    PRIMARY KEY (workspace_id, id)
  )`
  yield* sql`CREATE INDEX post_targets_post ON post_targets (workspace_id, post_id, place)`
  yield* sql`CREATE INDEX post_targets_account ON post_targets (workspace_id, account_id, id)`
  yield* sql`CREATE INDEX post_targets_due ON post_targets (due_at, workspace_id, id) WHERE due_at IS NOT NULL`
  yield* sql`CREATE INDEX post_targets_waiting ON post_targets (workspace_id, account_id, due_at, id)
    WHERE is_beginning AND due_at IS NOT NULL`
  // One at a time per account, whatever two workers see at the same moment.
  yield* sql`CREATE UNIQUE INDEX post_targets_busy ON post_targets (workspace_id, account_id) WHERE is_busy`
  yield* sql`CREATE INDEX post_targets_purge ON post_targets (ended_at, workspace_id, id) WHERE ended_at IS NOT NULL`
})
