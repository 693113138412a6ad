import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * For which workspaces a delivery that waits is, so that they take turns. Empty where nobody is known, in rows of before,
 * and in those that an older version writes beside; it claims all of them in the order of their arrival.
 *
 * The index has what waits only, but building it reads the table.
 */
export const webhookLanes = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE webhook_deliveries ADD COLUMN lane text COLLATE "C" NOT NULL DEFAULT ''`
  yield* sql`CREATE INDEX webhook_deliveries_lanes ON webhook_deliveries (lane, claimable_at, id)
    WHERE claimable_at IS NOT NULL`
})
