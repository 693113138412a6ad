import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Metrics of the whole database, and when one process of all began to measure them. */
export const sharedGauges = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE installation ADD COLUMN gauges jsonb, ADD COLUMN gauges_at timestamptz(3)`
})
