import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Letters and signs that no word has any more: vowel signs of Hebrew and Arabic, tatweel, alefs but the bare one, strokes. */
const unfolded =
  "[\\u0111\\u0127\\u0142\\u00f8\\u0167\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u0622\\u0623\\u0625" +
  "\\u0640\\u064b-\\u0653\\u0655-\\u065f\\u0670\\u0671\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed\\u08d3-\\u08e1\\u08e3-\\u08ff]"

/** Whether words were made by a version that folded less (docs/decisions/0016), as the two indexes below have it. */
export const isFoldedLess = `words::text ~ '${unfolded}'`

/**
 * Words that an older version has made, or makes beside this one, by which a text with vowel signs is not found.
 *
 * They show by what they are, so that nothing has to be written to know them: whatever an older version stores comes into
 * these indexes by itself, and the inbox's sweep makes it anew in batches, after which they are empty. Building them reads the
 * words once.
 */
export const wordsOfOlderFoldings = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`CREATE INDEX item_words_folded_less ON item_words (workspace_id, account_id, source, external_id)
    WHERE ${sql.literal(isFoldedLess)}`
  yield* sql`CREATE INDEX thread_notes_folded_less ON thread_notes (workspace_id, account_id, id)
    WHERE ${sql.literal(isFoldedLess)}`
})
