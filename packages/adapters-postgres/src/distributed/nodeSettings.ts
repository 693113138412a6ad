import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { one } from "../rows/rows.ts"
import { askNodes } from "./nodes.ts"

/**
 * What a session of the coordinator is told at its start doesn't reach the sessions that Citus opens on workers for it, so
 * that the whole database has it on every node.
 *
 * A wait for a row's lock ends there as it does on one server (PgAdapters); sessions that say something else at their start
 * have that. Each statement takes one connection to each node: with more, reads over all shards took longer, and an export
 * would have several snapshots of one node.
 */
export const nodeSettings: Readonly<Record<string, string>> = {
  lock_timeout: "5s",
  jit: "off",
  // Citus plans by values. Asked for a plan for any, as PostgreSQL does at the sixth time, it fails at some statements.
  plan_cache_mode: "force_custom_plan",
  // What a transaction sets by SET LOCAL goes with its statements.
  "citus.propagate_set_commands": "local",
  "citus.max_adaptive_executor_pool_size": "1"
}

const lines = Object.entries(nodeSettings).map(([name, value]) => `${name}=${value}`)

const NameRow = Schema.Struct({ name: Schema.String })

/** What a node's database has of its own, one a line. */
const readSettings = `SELECT coalesce(string_agg(s, E'\\n'), '') FROM pg_db_role_setting r, unnest(r.setconfig) s
  WHERE r.setrole = 0 AND r.setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())`

/** The nodes that lack one of the settings; those that are away are not among them. */
export const readUnset = Effect.map(askNodes(readSettings), (answers) =>
  answers
    .filter(({ result, success }) => success && !lines.every((line) => result?.split("\n").includes(line)))
    .map(({ address }) => address)
)

/** Gives every node the settings, where one lacks them; sessions that are open already keep what they have. */
export const applySettings = Effect.gen(function* () {
  const sql = yield* SqlClient
  if ((yield* readUnset).length === 0) return
  const { name } = yield* one(NameRow)(sql`SELECT quote_ident(current_database()) AS name`)
  for (const [setting, value] of Object.entries(nodeSettings)) {
    // Citus brings it to the other nodes.
    yield* sql`ALTER DATABASE ${sql.literal(name)} SET ${sql.literal(setting)} = ${sql.literal(`'${value}'`)}`
  }
})
