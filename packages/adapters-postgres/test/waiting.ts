import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"

const decode = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))

const counted = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`

/** Until so many statements of this database wait for a lock, on whichever node. */
export const awaitWaiting = (count: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const hasNodes = (inject("loopboxTestServer").workers ?? []).length > 0
    const statement = hasNodes
      ? `SELECT sum(result::int)::int AS count FROM run_command_on_all_nodes($$${counted}$$)`
      : counted
    for (;;) {
      const [waiting] = yield* decode(yield* sql.unsafe(statement))
      if (waiting.count >= count) return
      yield* Effect.sleep("20 millis")
    }
  })
