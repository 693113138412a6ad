import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Which process sweeps, and when a sweep began last that came to its end. An older version sweeps beside, as it did. */
export const sweepTurns = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`CREATE TABLE sweep_turns (
    kind text COLLATE "C" NOT NULL PRIMARY KEY,
    lease_token text,
    lease_until timestamptz(3),
    swept_at timestamptz(3)
  )`
})
