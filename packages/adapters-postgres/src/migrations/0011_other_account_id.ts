import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * The other id by which a network names an account: Instagram has one of the account and one of the account for each
 * app. It is asked for when the account is used the next time.
 */
export const otherAccountId = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE social_accounts ADD COLUMN other_account_id text COLLATE "C"`
})
