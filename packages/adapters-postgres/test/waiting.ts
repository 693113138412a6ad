import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const decode = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))

const counted = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`

const Nodes = Schema.Tuple([Schema.Struct({ known: Schema.Boolean })])

/** Until so many statements of this database wait for a lock, on whichever node. */
export const awaitWaiting = (count: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [nodes] = yield* Schema.decodeUnknownEffect(Nodes)(
      yield* sql`SELECT to_regproc('run_command_on_all_nodes') IS NOT NULL AS known`
    )
    const statement = nodes.known
      ? `SELECT sum(result::int)::int AS count FROM run_command_on_all_nodes($$${counted}$$)`
      : counted
    for (;;) {
      const [waiting] = yield* decode(yield* sql.unsafe(statement))
      if (waiting.count >= count) return
      yield* Effect.sleep("20 millis")
    }
  })
