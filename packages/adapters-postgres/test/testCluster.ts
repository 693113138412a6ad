import * as PgClient from "@effect/sql-pg/PgClient"
import { distributeDatabase, Migrations, PgAdapters } from "@loopbox/adapters-postgres"
import { Effect, Redacted, Schedule, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { nodeSettings } from "../src/distributed/nodeSettings.ts"

/** The same server, another database. */
export const withDatabase = (target: PgAdapters.Target, database: string): PgAdapters.Target => {
  if (target.url === undefined) return { ...target, database }
  const url = new URL(Redacted.value(target.url))
  url.pathname = `/${database}`
  return { url: Redacted.make(url.toString()) }
}

const at = (url: string): PgAdapters.Target => ({ url: Redacted.make(url) })

const run = <A, E>(
  target: PgAdapters.Target,
  statement: (sql: PgClient.PgClient) => Effect.Effect<A, E, SqlClient.SqlClient>
) => PgAdapters.withLongRunningClient(target, {}, Effect.flatMap(PgClient.PgClient, statement))

const NodeRow = Schema.Struct({ nodename: Schema.String, nodeport: Schema.Int })

/** The addresses of a coordinator's workers, with the account of its own address. */
const workersOf = (coordinator: string) =>
  Effect.map(
    Effect.flatMap(
      run(
        at(coordinator),
        (sql) => sql`SELECT nodename, nodeport FROM pg_dist_node WHERE noderole = 'primary' AND groupid <> 0
          ORDER BY groupid`
      ),
      Schema.decodeUnknownEffect(Schema.Array(NodeRow))
    ),
    (nodes) =>
      nodes.map(({ nodename, nodeport }) => {
        const url = new URL(coordinator)
        url.hostname = nodename
        url.port = `${nodeport}`
        return url.toString()
      })
  )

const join = (coordinator: string, workers: ReadonlyArray<string>) => (sql: PgClient.PgClient) =>
  Effect.gen(function* () {
    const { hostname, port } = new URL(coordinator)
    yield* sql`SELECT citus_set_coordinator_host(${hostname}, ${Number(port)}::int)`
    for (const { hostname, port } of workers.map((url) => new URL(url))) {
      yield* sql`SELECT citus_add_node(${hostname}, ${Number(port)}::int)`
    }
  })

/** The name of what is migrated and lies on one server, beside the distributed template of this name. */
export const aloneBeside = (template: string) => `${template}_alone`

/** Settings that `distributeDatabase` gives a database; a copy of it has none. */
export const settingsOf = (database: string) => (sql: PgClient.PgClient) =>
  Effect.forEach(
    Object.entries(nodeSettings),
    ([name, value]) => sql`ALTER DATABASE ${sql(database)} SET ${sql.literal(name)} = ${sql.literal(`'${value}'`)}`
  )

/** Distributes what was migrated alone on the coordinator: a database of the name on all nodes. Gives the workers' addresses. */
export const makeCluster = Effect.fnUntraced(function* (
  coordinator: string,
  { alone, name, shards }: { readonly alone: string; readonly name: string; readonly shards: number }
) {
  const workers = yield* workersOf(coordinator)
  yield* run(at(coordinator), (sql) => sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(alone)}`)
  for (const worker of workers) yield* run(at(worker), (sql) => sql`CREATE DATABASE ${sql(name)}`)
  const inside = withDatabase(at(coordinator), name)
  for (const node of [coordinator, ...workers].map(at)) {
    yield* run(withDatabase(node, name), (sql) => sql`CREATE EXTENSION citus`)
  }
  yield* run(inside, join(coordinator, workers))
  yield* distributeDatabase(inside, { shards })
  return workers
})

/** Makes a database of this name on the coordinator, migrated, which is not distributed. */
export const makeAlone = Effect.fnUntraced(function* (coordinator: string, name: string) {
  yield* run(at(coordinator), (sql) => sql`CREATE DATABASE ${sql(name)}`)
  yield* run(withDatabase(at(coordinator), name), () => Migrations.run)
})

/** Makes a migrated and distributed database of this name on all nodes, to be copied; gives the workers' addresses. */
export const makeClusterTemplate = Effect.fnUntraced(function* (coordinator: string, name: string) {
  const alone = aloneBeside(name)
  yield* makeAlone(coordinator, alone)
  const workers = yield* makeCluster(coordinator, { alone, name, shards: 4 })
  // A database that somebody is connected to cannot be copied, and Citus' own connections come back.
  for (const node of [coordinator, ...workers].map(at)) {
    yield* run(node, (sql) => sql`ALTER DATABASE ${sql(name)} WITH ALLOW_CONNECTIONS false`)
    yield* run(node, (sql) => sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${name}`)
  }
  return workers
})

/** Removes databases from all nodes. */
export const removeCluster = Effect.fnUntraced(function* (coordinator: string, names: ReadonlyArray<string>) {
  for (const node of [coordinator, ...(yield* workersOf(coordinator))].map(at)) {
    for (const name of names) {
      // Citus' own worker on a database comes back after it was sent away.
      yield* run(node, (sql) => sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`).pipe(
        Effect.retry({ times: 10, schedule: Schedule.spaced("300 millis") })
      )
    }
  }
})
