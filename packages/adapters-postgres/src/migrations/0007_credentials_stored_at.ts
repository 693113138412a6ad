import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * When the credentials of an account came, so that a revocation that is older than they are does nothing. Absent: before
 * anybody kept it, so every revocation is younger.
 */
export const credentialsStoredAt = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE account_credentials ADD COLUMN stored_at timestamptz(3)`
})
