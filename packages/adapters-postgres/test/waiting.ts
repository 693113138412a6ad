import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Until so many statements of this database wait for a lock. */
export const awaitWaiting = (count: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (;;) {
      const waiting = yield* sql`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`
      if (waiting.length >= count) return
      yield* Effect.sleep("20 millis")
    }
  })
