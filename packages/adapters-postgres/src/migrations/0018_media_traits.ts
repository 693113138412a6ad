import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** What the bytes of a file say besides its size and length; null for files that were not examined. */
export const mediaTraits = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE media ADD COLUMN traits jsonb`
})
