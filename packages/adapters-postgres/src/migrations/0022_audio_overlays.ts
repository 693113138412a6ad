import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * A second kind of media job: the second file that it reads, its settings, and who made a file.
 *
 * An older version claims, lists and finds its own kind only, so that it works beside. It knows two values of
 * `media.source`: an overlay's output is of `gif_conversion` there, and `made_by` says what it is. Columns without a
 * default rewrite no row, and the index is empty at first.
 */
export const audioOverlays = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE media_jobs ADD COLUMN audio_media_id text COLLATE "C", ADD COLUMN settings jsonb,
    ALTER COLUMN background_color DROP NOT NULL`
  yield* sql`CREATE INDEX media_jobs_active_audio ON media_jobs (workspace_id, audio_media_id)
    WHERE claimable_at IS NOT NULL AND audio_media_id IS NOT NULL`
  yield* sql`ALTER TABLE media ADD COLUMN made_by text`
})
