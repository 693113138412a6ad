import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * How far back each migration is compatible, recorded beside it.
 *
 * A process reads it of migrations that it does not know: they come from a newer version, and only that version knows
 * whether an older one may go on.
 */
export const compatibility = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE loopbox_migrations ADD COLUMN min_compatible integer`
})
