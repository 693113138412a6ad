import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * The words of notes, by which threads are found (docs/decisions/0016).
 *
 * NULL in rows of before, and in those that an older version writes beside; the inbox's sweep fills them in batches.
 */
export const noteWords = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE thread_notes ADD COLUMN words tsvector`
  yield* sql`CREATE INDEX thread_notes_words ON thread_notes USING gin (words)`
  yield* sql`CREATE INDEX thread_notes_unworded ON thread_notes (workspace_id, account_id, id) WHERE words IS NULL`
})
