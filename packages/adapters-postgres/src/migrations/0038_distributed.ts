import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * What a distributed database needs to lie elsewhere.
 *
 * When a key was used last is written by the minute, and keys are copied to every node: it gets a table beside the
 * workspaces. An older version goes on to write the column; the later of both counts.
 *
 * The trigger of the audit runs on the node of the workspace, which cannot read the installation's row. The test clock's
 * offset is therefore copied to all nodes.
 */
export const distributed = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`CREATE TABLE api_key_uses (
    workspace_id text COLLATE "C" NOT NULL,
    key_id text COLLATE "C" NOT NULL,
    used_at timestamptz(3) NOT NULL,
    PRIMARY KEY (workspace_id, key_id)
  )`
  yield* sql`CREATE TABLE test_clock (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    offset_ms bigint NOT NULL
  )`
  yield* sql`INSERT INTO test_clock (offset_ms) SELECT test_clock_offset_ms FROM installation
    WHERE test_clock_offset_ms <> 0`
  yield* sql`CREATE OR REPLACE FUNCTION audit_kept_since() RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT now() + coalesce((SELECT offset_ms FROM test_clock WHERE is_only), 0) * interval '1 millisecond'
      - interval '399 days'
  $$`
})
