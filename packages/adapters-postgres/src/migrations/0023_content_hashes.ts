import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * The hash that a sender names with a reservation, so that a second one with it is the same record.
 *
 * An older version neither writes nor reads it. A column without a default rewrites no row, and the index is empty at
 * first.
 */
export const contentHashes = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE media ADD COLUMN content_hash text COLLATE "C"`
  yield* sql`CREATE UNIQUE INDEX media_content_hash ON media (workspace_id, content_hash)
    WHERE content_hash IS NOT NULL AND deleted_at IS NULL`
})
