import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** When an account's token is to be renewed, and whose turn that is. */
const renewals = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE account_credentials
    ADD COLUMN renew_at timestamptz(3),
    ADD COLUMN renewer text,
    ADD COLUMN renewer_until timestamptz(3)`
  // As if each had been given when its account was connected: too early does no harm.
  yield* sql`UPDATE account_credentials c SET renew_at = a.created_at + (a.token_expires_at - a.created_at) / 2
    FROM social_accounts a
    WHERE a.workspace_id = c.workspace_id AND a.id = c.account_id AND a.token_expires_at IS NOT NULL`
})

/** Polling, and what keeps the tokens alive that it polls with. */
export const syncTables = renewals
