import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Which post of this program an item hangs on, and the index by which posts are found by what networks call them.
 *
 * A column that an older version neither reads nor writes: what that one stores gets its post when it is read again.
 */
export const ownPosts = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE items ADD COLUMN post_id text COLLATE "C"`
  yield* sql`CREATE INDEX items_post ON items (workspace_id, post_id, source, received_at, id)
    WHERE kind = 'live' AND post_id IS NOT NULL`
  yield* sql`CREATE INDEX post_targets_ids ON post_targets USING gin (post_ids) WHERE post_ids IS NOT NULL`
})
