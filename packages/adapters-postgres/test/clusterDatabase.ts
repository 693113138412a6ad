import * as PgClient from "@effect/sql-pg/PgClient"
import { PgAdapters } from "@loopbox/adapters-postgres"
import { Effect, Redacted, Schedule, Schema } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { startForwarder } from "./forwarder.ts"

/** The coordinator of a distributed PostgreSQL, whose database knows its workers (.ci/citus.sh). */
export const testCluster = process.env["LOOPBOX_TEST_CITUS"]

const NodeRow = Schema.Struct({ nodename: Schema.String, nodeport: Schema.Int })

const withPath = (url: URL, change: (url: URL) => void): PgAdapters.Target => {
  const changed = new URL(url)
  change(changed)
  return { url: Redacted.make(changed.toString()) }
}

export const onTarget = <A, E>(target: PgAdapters.Target, statement: (sql: PgClient.PgClient) => Effect.Effect<A, E>) =>
  PgAdapters.withLongRunningClient(target, {}, Effect.flatMap(PgClient.PgClient, statement))

/**
 * A new database of this name on every node, gone with the scope. `join` makes them one, until when each is a database like
 * any other and only `coordinator` is used.
 *
 * All nodes reach the last worker by a way that a test can cut. `onWorkers` is what `CREATE DATABASE` says there.
 */
export const clusterDatabaseOf = Effect.fnUntraced(function* (onWorkers: string) {
  const url = new URL(testCluster ?? "postgresql://none")
  const random = yield* SecureRandom.SecureRandom
  const name = `c_${(yield* random.uuidV7()).replaceAll("-", "")}`
  const rows = yield* onTarget(
    { url: Redacted.make(url.toString()) },
    (sql) => sql`SELECT nodename, nodeport FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid`
  )
  const nodes = yield* Schema.decodeUnknownEffect(Schema.Array(NodeRow))(rows)
  const at = (path: string) =>
    nodes.map(({ nodename, nodeport }) =>
      withPath(url, (changed) => {
        changed.hostname = nodename
        changed.port = `${nodeport}`
        changed.pathname = path
      })
    )
  const last = nodes.at(-1)
  const way = yield* startForwarder(last?.nodename ?? "", last?.nodeport ?? 0)
  const [servers, databases] = [at("/postgres"), at(`/${name}`)]
  yield* Effect.acquireRelease(
    Effect.forEach(servers, (server, i) =>
      onTarget(
        server,
        (sql) => sql`CREATE DATABASE ${sql(name)} TEMPLATE template0 ${sql.literal(i === 0 ? "" : onWorkers)}`
      )
    ),
    () =>
      Effect.forEach(servers, (server) =>
        onTarget(server, (sql) => sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`)
      ).pipe(
        // Citus' own worker on a database comes back after it was sent away.
        Effect.retry({ times: 10, schedule: Schedule.spaced("300 millis") }),
        Effect.orDie
      )
  )
  const coordinator = databases[0] ?? {}
  const addExtension = Effect.forEach(databases, (target) => onTarget(target, (sql) => sql`CREATE EXTENSION citus`))
  const addNodes = onTarget(coordinator, (sql) =>
    Effect.forEach(nodes, (node, i) => {
      const { nodename, nodeport } = node === last ? { nodename: "127.0.0.1", nodeport: way.port } : node
      return i === 0
        ? sql`SELECT citus_set_coordinator_host(${nodename}, ${nodeport}::int)`
        : sql`SELECT citus_add_node(${nodename}, ${nodeport}::int)`
    })
  )
  return {
    coordinator,
    worker: databases[1] ?? {},
    addExtension,
    addNodes,
    join: Effect.andThen(addExtension, addNodes),
    lastWorker: { address: `127.0.0.1:${way.port}`, cut: way.cut, mend: way.mend }
  }
}, Effect.provide(SecureRandom.layerWebCrypto))

/** The same with nothing of its own on the workers. */
export const clusterDatabase = clusterDatabaseOf("")
