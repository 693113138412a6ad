import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Polls that are due because a network announced something that did not come, also where no account is polled by itself:
 * when one is due, and when a worker took the last one.
 */
export const pollHints = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE account_polls
    ADD COLUMN hint_due_at timestamptz(3),
    ADD COLUMN hint_taken_at timestamptz(3)`
})
