import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * How alive an account is, by which it is polled more or less often. An older version neither reads nor writes it, and
 * polls all accounts at the interval.
 */
export const pollLife = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE account_polls
    ADD COLUMN alive_at timestamptz(3),
    ADD COLUMN every_ms integer`
})
