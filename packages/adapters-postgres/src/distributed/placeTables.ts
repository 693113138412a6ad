import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { all } from "../rows/rows.ts"
import { anchor, isDistributed, type Placed, placedTables, readStanding } from "./places.ts"

const FunctionRow = Schema.Struct({ signature: Schema.String })

/**
 * For what changes the schema of a distributed database, in its transaction: our triggers read and write rows of the same
 * workspace only, which lie beside theirs, and each node gets one command after another.
 */
export const beforeDdl = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`SET LOCAL citus.enable_unsafe_triggers = on`
  // On every node: a function in SQL may come there before the table that it reads.
  yield* sql`SET LOCAL citus.propagate_set_commands = 'local'`
  yield* sql`SET LOCAL check_function_bodies = off`
  yield* sql`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`
})

/**
 * Brings the schema's functions to all nodes: those of a database that became distributed after it was migrated are on the
 * coordinator only. Can be repeated.
 */
const placeFunctions = Effect.gen(function* () {
  const sql = yield* SqlClient
  const functions = yield* all(FunctionRow)(sql`SELECT p.oid::regprocedure::text AS signature
    FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace AND p.prokind = 'f'
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
    ORDER BY 1`)
  for (const { signature } of functions) yield* sql`SELECT create_distributed_function(${signature}::regprocedure)`
})

/** Moves one table to its place, with its rows. */
const placeTable = Effect.fnUntraced(function* ({ name, place }: Placed, shards: number) {
  const sql = yield* SqlClient
  if (place === "reference") yield* sql`SELECT create_reference_table(${name}::regclass)`
  else if (place === "coordinator") yield* sql`SELECT citus_add_local_table_to_metadata(${name}::regclass)`
  else if (name === anchor)
    yield* sql`SELECT create_distributed_table(${name}::regclass, ${place.by}, colocate_with := 'none',
      shard_count := ${shards}::int)`
  else yield* sql`SELECT create_distributed_table(${name}::regclass, ${place.by}, colocate_with := ${anchor})`
})

/** The table that others lie beside comes first. */
const inOrder = (tables: ReadonlyArray<Placed>) => [
  ...tables.filter(({ name }) => name === anchor),
  ...tables.filter(({ name }) => name !== anchor)
]

/** Moves tables to where they belong, in the transaction of the caller; `after` hears of each. */
export const placeTables = Effect.fnUntraced(function* <E, R>(
  tables: ReadonlyArray<Placed>,
  options: { readonly shards: number; readonly after: (table: Placed) => Effect.Effect<void, E, R> }
) {
  yield* beforeDdl
  for (const table of inOrder(tables)) {
    yield* placeTable(table, options.shards)
    yield* options.after(table)
  }
  yield* placeFunctions
})

/** Brings tables back that are copied to every node: their rows are on the coordinator only, where no other node knows them. */
export const bringBack = Effect.fnUntraced(function* (tables: ReadonlyArray<Placed>) {
  const sql = yield* SqlClient
  yield* beforeDdl
  for (const { name } of tables) yield* sql`SELECT undistribute_table(${name}::regclass)`
})

/** Moves what a migration of a distributed database has made to where it belongs; of any other one it changes nothing. */
export const placeNew = Effect.gen(function* () {
  if (!(yield* isDistributed)) return
  const { unplaced } = yield* readStanding(placedTables)
  // The anchor has its shards.
  yield* placeTables(unplaced, { shards: 1, after: () => Effect.void })
})
