import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * The thread of each item's words, so that threads can be searched without their items (docs/decisions/0016).
 *
 * It is NULL in rows of before, and in those that an older version stores beside; the inbox's sweep fills them in batches.
 */
export const itemWordsThreads = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE item_words ADD COLUMN thread_key text COLLATE "C"`
  yield* sql`CREATE INDEX item_words_thread ON item_words (workspace_id, account_id, source, thread_key)`
  yield* sql`CREATE INDEX item_words_unthreaded ON item_words (workspace_id, account_id, source, external_id)
    WHERE thread_key IS NULL`
})
