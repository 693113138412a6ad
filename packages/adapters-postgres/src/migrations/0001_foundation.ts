import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Workspaces, members, keys, media, media jobs and the installation's own row.
 *
 * Times are written by the program from its Clock, with milliseconds, never by the database. Ids sort by their time,
 * so they are compared byte by byte. No foreign key: a workspace's rows are tied by the lock on its row, and whatever
 * is added later must be able to lie on another database by `workspace_id` (design §2).
 */
export const foundation = Effect.gen(function* () {
  const sql = yield* SqlClient

  yield* sql`CREATE TABLE installation (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    id text,
    sealed_check text,
    test_clock_offset_ms bigint NOT NULL DEFAULT 0
  )`
  yield* sql`INSERT INTO installation DEFAULT VALUES`

  yield* sql`CREATE TABLE workspaces (
    id text COLLATE "C" PRIMARY KEY,
    name text NOT NULL,
    plan text NOT NULL,
    limit_active_jobs integer,
    limit_conversions_per_24_hours integer,
    created_at timestamptz(3) NOT NULL
  )`
  yield* sql`CREATE INDEX workspaces_newest ON workspaces (created_at DESC, id DESC)`

  yield* sql`CREATE TABLE members (
    workspace_id text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    role text NOT NULL,
    PRIMARY KEY (workspace_id, user_id)
  )`

  yield* sql`CREATE TABLE api_keys (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    creator_user_id text COLLATE "C",
    secret_hash text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3),
    last_used_at timestamptz(3)
  )`
  yield* sql`CREATE INDEX api_keys_newest ON api_keys (workspace_id, created_at DESC, id DESC)`

  yield* sql`CREATE TABLE media (
    workspace_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    status text NOT NULL CHECK (status IN ('pending', 'ready')),
    source text NOT NULL CHECK (source IN ('upload', 'gif_conversion')),
    job_id text COLLATE "C",
    filename text,
    content_type text NOT NULL,
    declared_size bigint,
    blob_key text COLLATE "C",
    size_bytes bigint,
    sha256 text,
    width integer,
    height integer,
    duration_ms bigint,
    keep_until timestamptz(3) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    deleted_at timestamptz(3),
    bytes_removed_at timestamptz(3),
    PRIMARY KEY (workspace_id, id),
    CHECK (status = 'pending' OR (blob_key IS NOT NULL AND size_bytes IS NOT NULL AND sha256 IS NOT NULL))
  )`
  yield* sql`CREATE INDEX media_newest ON media (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL`
  // A signed link names the media only; its signature stands for the workspace.
  yield* sql`CREATE INDEX media_linked ON media (id)`
  yield* sql`CREATE INDEX media_blobs ON media (workspace_id, blob_key) WHERE blob_key IS NOT NULL`
  yield* sql`CREATE INDEX media_expiry ON media (keep_until, workspace_id, id) WHERE deleted_at IS NULL`
  yield* sql`CREATE INDEX media_removable ON media (deleted_at, workspace_id, id)
    WHERE deleted_at IS NOT NULL AND bytes_removed_at IS NULL`
  yield* sql`CREATE INDEX media_purge ON media (deleted_at, workspace_id, id) WHERE bytes_removed_at IS NOT NULL`

  // claimable_at is set as long as the job has not ended: a queued one's creation, a lease's end, a release.
  yield* sql`CREATE TABLE media_jobs (
    workspace_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    kind text NOT NULL,
    status text NOT NULL CHECK (status IN ('queued', 'processing', 'succeeded', 'failed')),
    input_media_id text COLLATE "C" NOT NULL,
    background_color text NOT NULL,
    idempotency_key text COLLATE "C",
    output_media_id text COLLATE "C",
    progress double precision,
    attempts integer NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL,
    started_at timestamptz(3),
    completed_at timestamptz(3),
    failure_code text,
    failure_message text,
    failure_retryable boolean,
    claimable_at timestamptz(3),
    released boolean NOT NULL DEFAULT false,
    lease_token text,
    PRIMARY KEY (workspace_id, id),
    CHECK ((claimable_at IS NULL) = (status IN ('succeeded', 'failed')))
  )`
  yield* sql`CREATE UNIQUE INDEX media_jobs_key ON media_jobs (workspace_id, idempotency_key)
    WHERE idempotency_key IS NOT NULL`
  // Started jobs first: one that lost its worker has waited longer than any that is still queued.
  yield* sql`CREATE INDEX media_jobs_claimable ON media_jobs (kind, (started_at IS NULL), claimable_at, id)
    WHERE claimable_at IS NOT NULL`
  yield* sql`CREATE INDEX media_jobs_active ON media_jobs (workspace_id, input_media_id)
    WHERE claimable_at IS NOT NULL`
  // Serves the list and the count of the last 24 hours.
  yield* sql`CREATE INDEX media_jobs_newest ON media_jobs (workspace_id, kind, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX media_jobs_newest_by_status
    ON media_jobs (workspace_id, kind, status, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX media_jobs_purge ON media_jobs (completed_at, workspace_id, id)
    WHERE completed_at IS NOT NULL`
})
