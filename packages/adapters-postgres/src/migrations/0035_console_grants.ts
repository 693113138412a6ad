import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Links that open the console once, and its sessions. An older version does not look at them. */
export const consoleGrants = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`CREATE TABLE console_grants (
    digest bytea NOT NULL PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('ticket', 'session')),
    epoch bytea NOT NULL,
    expires_at timestamptz(3) NOT NULL
  )`
  yield* sql`CREATE INDEX console_grants_expired ON console_grants (expires_at, digest)`
})
