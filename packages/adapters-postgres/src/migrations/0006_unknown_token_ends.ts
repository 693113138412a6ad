import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Tokens of Instagram and Threads whose end nobody told were never renewed, and died after 60 days. They become due a
 * day after their account was connected: the network renews those that are a day old, and refuses younger ones, which
 * are tried again a day later.
 */
export const unknownTokenEnds = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`UPDATE account_credentials c SET renew_at = a.created_at + interval '24 hours'
    FROM social_accounts a
    WHERE a.workspace_id = c.workspace_id AND a.id = c.account_id AND a.network IN ('instagram', 'threads')
      AND a.token_expires_at IS NULL AND c.renew_at IS NULL`
})
