import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { applySettings } from "../distributed/nodeSettings.ts"
import { askNodes, isCoordinator, readNodes, readUnreachable, readVersion } from "../distributed/nodes.ts"
import { hasCitus, type Placed, placedTables, readStanding } from "../distributed/places.ts"
import { beforeDdl, bringBack, placeTables } from "../distributed/placeTables.ts"
import { readUnsupported } from "../distributed/unsupported.ts"
import * as Migrations from "../Migrations.ts"
import { type Target, withLongRunningClient } from "../PgAdapters.ts"
import { all, one } from "../rows/rows.ts"

/** The database was not distributed; nothing was changed. The message is a sentence for the operator. */
export class DistributeRefused extends Schema.TaggedError<DistributeRefused>()("DistributeRefused", {
  reason: Schema.Literals([
    "NoCitus",
    "OtherVersion",
    "OtherEncoding",
    "NotCoordinator",
    "NoWorkers",
    "NodeAway",
    "Unsupported",
    "Misplaced",
    "Busy",
    "RowsDiffer"
  ]),
  message: Schema.String
}) {}

const refuse = (reason: DistributeRefused["reason"], message: string) =>
  Effect.fail(new DistributeRefused({ reason, message: `${message} Nothing was changed.` }))

export interface DistributeOptions {
  /** Parts that rows of workspaces are split into; no more nodes can have some. Ignored once there are any. Default: 8. */
  readonly shards?: number
  /** Hears of each table that is in its place, with the rows that came along. */
  readonly onPlaced?: (placed: { readonly table: string; readonly rows: number }) => Effect.Effect<void>
}

/** What became of a database. */
export interface Distributed {
  readonly citus: string
  readonly workers: number
  /** Tables that were moved to their place; none where the database was distributed already. */
  readonly placed: ReadonlyArray<string>
  readonly rows: number
  /** Tables whose rows lay on the coordinator a second time, where nobody reads them, and were removed there. */
  readonly cleared: ReadonlyArray<string>
}

const CountRow = Schema.Struct({ rows: Schema.Int })
const NameRow = Schema.Struct({ name: Schema.String })

/** Each look of a worker for what is due asks every part: of 32 it takes three times as long. */
const defaultShards = 8

/** Written for and tried with 13.2; older ones lack triggers' access to rows beside theirs. */
const oldestCitus = 13

const checkVersions = Effect.gen(function* () {
  const version = yield* readVersion
  if (Number.parseInt(version, 10) < oldestCitus) {
    return yield* refuse("OtherVersion", `The extension is Citus ${version}; Loopbox needs ${oldestCitus} or newer.`)
  }
  const answers = yield* askNodes("SELECT extversion FROM pg_extension WHERE extname = 'citus'")
  const other = answers.filter(({ result, success }) => success && result !== version)
  if (other.length === 0) return version
  const names = other.map(({ address, result }) => `${address} has ${result}`).join(", ")
  return yield* refuse("OtherVersion", `All nodes need the same Citus: the coordinator has ${version}, ${names}.`)
})

const checkNodes = Effect.gen(function* () {
  const nodes = yield* readNodes
  if (!nodes.some((node) => node.isCoordinator)) {
    return yield* refuse(
      "NoWorkers",
      "The nodes don't know how to reach the coordinator: run SELECT citus_set_coordinator_host('<its address>', <port>)."
    )
  }
  const workers = nodes.filter((node) => !node.isCoordinator && node.hasShards)
  if (workers.length === 0) {
    return yield* refuse(
      "NoWorkers",
      "There is no worker: run SELECT citus_add_node('<its address>', <port>) for each."
    )
  }
  const inactive = nodes.filter((node) => !node.isActive)
  if (inactive.length > 0) {
    return yield* refuse("NodeAway", `${inactive.map(({ address }) => address).join(", ")} is no active node.`)
  }
  const unreachable = yield* readUnreachable
  if (unreachable.length > 0) {
    const pairs = unreachable.map(({ from, to }) => `${to} from ${from}`).join(", ")
    return yield* refuse("NodeAway", `Every node must reach every other; not reached: ${pairs}.`)
  }
  return workers.length
})

/** Citus takes a node whose database has another encoding, where rows would be refused, or their letters kept as bytes. */
const checkEncodings = Effect.gen(function* () {
  const answers = yield* askNodes("SELECT current_setting('server_encoding')")
  const first = answers.find(({ result, success }) => success && result !== "UTF8")
  if (first === undefined) return
  return yield* refuse(
    "OtherEncoding",
    `The database's encoding has to be UTF8 on every node: on ${first.address} it is ${first.result}. Make it anew there ` +
      "(createdb --template=template0 --encoding=UTF8), and add the node again."
  )
})

const checkSchema = Effect.gen(function* () {
  const standing = yield* readStanding(placedTables)
  if (standing.misplaced.length > 0) {
    return yield* refuse(
      "Misplaced",
      `Tables lie where they don't belong: ${standing.misplaced.join("; ")}. Bring them back with undistribute_table.`
    )
  }
  const unsupported = yield* readUnsupported(placedTables)
  if (unsupported.length > 0) {
    return yield* refuse("Unsupported", `Citus can't keep all of the schema: ${unsupported.join("; ")}.`)
  }
  return standing
})

const checkAll = Effect.gen(function* () {
  if (!(yield* hasCitus)) {
    return yield* refuse(
      "NoCitus",
      "The database has no extension Citus: load it on every node (shared_preload_libraries), then run " +
        "CREATE EXTENSION citus in this database on each; docs/operations/distributed.md has the steps."
    )
  }
  if (!(yield* isCoordinator)) {
    return yield* refuse("NotCoordinator", "The server is a worker: DATABASE_URL has to name the coordinator.")
  }
  const workers = yield* checkNodes
  const citus = yield* checkVersions
  yield* checkEncodings
  return { citus, workers }
})

const count = Effect.fnUntraced(function* (table: string) {
  const sql = yield* SqlClient
  return (yield* one(CountRow)(sql`SELECT count(*)::float8 AS rows FROM ${sql(table)}`)).rows
})

/** Nobody writes while rows are counted and moved. */
const lock = Effect.fnUntraced(function* (tables: ReadonlyArray<Placed>) {
  const sql = yield* SqlClient
  yield* sql`SET LOCAL lock_timeout = '3s'`
  const names = sql.csv(tables.map(({ name }) => sql`${sql(name)}`))
  yield* sql`LOCK TABLE ${names} IN EXCLUSIVE MODE`.pipe(
    Effect.catchIf(
      (error: SqlError) => isSqlError(error) && error.reason._tag === "LockTimeoutError",
      () => refuse("Busy", "Others write to the database: stop all hosts, and try again.")
    )
  )
  yield* sql`SET LOCAL lock_timeout = 0`
})

/** All tables or none; the rows are counted before and after. */
const placeAll = Effect.fnUntraced(function* (options: DistributeOptions) {
  const sql = yield* SqlClient
  // The lock of migrations and imports.
  yield* sql`SELECT pg_advisory_xact_lock(hashtextextended('loopbox:migrate', 0))`
  const { copied, unplaced } = yield* checkSchema
  const moved = [...unplaced, ...copied]
  if (moved.length === 0) return { placed: [], rows: 0 }
  yield* lock(moved)
  const before = new Map<string, number>()
  for (const { name } of moved) before.set(name, yield* count(name))
  yield* bringBack(copied)
  yield* placeTables(moved, {
    shards: options.shards ?? defaultShards,
    after: Effect.fnUntraced(function* ({ name }) {
      const [was, rows] = [before.get(name), yield* count(name)]
      if (rows !== was) yield* refuse("RowsDiffer", `${name} had ${was} rows, and has ${rows} in its place.`)
      yield* options.onPlaced?.({ table: name, rows }) ?? Effect.void
    })
  })
  const rows = Array.from(before.values()).reduce((sum, each) => sum + each, 0)
  return { placed: moved.map(({ name }) => name), rows }
})

/** Removes the rows that Citus leaves on the coordinator, where no statement sees them. */
const clearLocal = Effect.gen(function* () {
  const sql = yield* SqlClient
  const names = placedTables.filter(({ place }) => place !== "coordinator").map(({ name }) => name)
  const left = yield* all(NameRow)(sql`SELECT c.relname AS name FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY(${names}::text[])
      AND pg_relation_size(c.oid) > 0 ORDER BY 1`)
  for (const { name } of left) {
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* beforeDdl
        // The audit's trigger refuses to be emptied; it stays in force on the shards.
        yield* sql`SET LOCAL citus.enable_ddl_propagation = off`
        yield* sql`ALTER TABLE ${sql(name)} DISABLE TRIGGER USER`
        yield* sql`SELECT truncate_local_data_after_distributing_table(${name}::regclass)`
        yield* sql`ALTER TABLE ${sql(name)} ENABLE TRIGGER USER`
      })
    )
  }
  return left.map(({ name }) => name)
})

/**
 * Turns a migrated database on a coordinator of Citus, empty or filled, into a distributed one: all tables go to the
 * places that the list of tables says, in one transaction.
 *
 * Can be repeated: it does what is not done yet, so that it also finishes a run that was cut off.
 */
export const distributeDatabase = (target: Target, options: DistributeOptions = {}) =>
  withLongRunningClient(
    target,
    {},
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { citus, workers } = yield* checkAll
      yield* Migrations.checkSame
      const { placed, rows } = yield* sql.withTransaction(placeAll(options))
      const cleared = yield* clearLocal
      yield* applySettings
      const distributed: Distributed = { citus, workers, placed, rows, cleared }
      return distributed
    })
  ).pipe(Effect.catchTag("SchemaError", Effect.die))
