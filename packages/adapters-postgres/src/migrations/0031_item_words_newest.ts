import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The words of a workspace's items in the order of lists, so that a search can read them from the newest on. */
export const itemWordsNewest = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`CREATE INDEX item_words_newest ON item_words (workspace_id, received_at, id)`
})
