import * as PgClient from "@effect/sql-pg/PgClient"
import { PgAdapters } from "@loopbox/adapters-postgres"
import { Effect, Redacted, Schedule, Schema } from "effect"

/** The coordinator of a distributed PostgreSQL, whose database knows its workers. */
export const citus = process.env["LOOPBOX_TEST_CITUS"]

const decodeNodes = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ nodename: Schema.String, nodeport: Schema.Int }))
)

const on = <A, E>(url: URL, statement: (sql: PgClient.PgClient) => Effect.Effect<A, E>) =>
  PgAdapters.withLongRunningClient(
    { url: Redacted.make(url.toString()) },
    {},
    Effect.flatMap(PgClient.PgClient, statement)
  )

let made = 0

const prefix = "loopbox_host_"
const decodeNames = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ datname: Schema.String })))

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Removes from a node what test files made whose process has ended: in each database of a cluster Citus works on for ever. */
const dropLeft = (sql: PgClient.PgClient) =>
  Effect.gen(function* () {
    const all = yield* Effect.flatMap(
      sql`SELECT datname FROM pg_database WHERE starts_with(datname, ${prefix})`,
      decodeNames
    )
    const left = all.filter(({ datname }) => !isRunning(Number(datname.slice(prefix.length).split("_")[0])))
    // Another file may be at it.
    yield* Effect.forEach(left, ({ datname }) =>
      Effect.ignore(sql`DROP DATABASE IF EXISTS ${sql(datname)} WITH (FORCE)`)
    )
  })

/** URL of a new, empty database on all nodes of the cluster, which know each other in it. */
export const makeCitusDatabase = (cluster: string | undefined = citus): Promise<string> => {
  const coordinator = new URL(cluster ?? "postgresql://none")
  const name = `${prefix}${process.pid}_${made++}`
  const at = (host: string, port: number, database: string) => {
    const url = new URL(coordinator)
    url.hostname = host
    url.port = `${port}`
    url.pathname = `/${database}`
    return url
  }
  return Effect.runPromise(
    Effect.gen(function* () {
      const nodes = yield* Effect.flatMap(
        on(coordinator, (sql) => sql`SELECT nodename, nodeport FROM pg_dist_node ORDER BY groupid`),
        decodeNodes
      )
      for (const { nodename, nodeport } of nodes) {
        yield* on(at(nodename, nodeport, "postgres"), (sql) =>
          Effect.andThen(dropLeft(sql), sql`CREATE DATABASE ${sql(name)}`)
        )
        yield* on(at(nodename, nodeport, name), (sql) => sql`CREATE EXTENSION citus`)
      }
      const [first] = nodes
      const url = at(first?.nodename ?? "", first?.nodeport ?? 0, name)
      // A connection between nodes breaks at times while another file makes its database; both may be asked for again.
      yield* on(url, (sql) =>
        Effect.forEach(nodes, ({ nodename, nodeport }, i) =>
          i === 0
            ? sql`SELECT citus_set_coordinator_host(${nodename}, ${nodeport}::int)`
            : sql`SELECT citus_add_node(${nodename}, ${nodeport}::int)`
        )
      ).pipe(Effect.retry({ times: 5, schedule: Schedule.spaced("300 millis") }))
      return url.toString()
    })
  )
}

/**
 * URL of a new, empty database on the coordinator's server, which is no more than one server yet, with what an operator says of
 * the others: the URLs that it will have on the workers, and the nodes as they reach each other, in SQL.
 */
export const plainDatabase = async () => {
  const coordinator = new URL(citus ?? "postgresql://none")
  const name = `loopbox_grows_${process.pid}_${made++}`
  const nodes = await Effect.runPromise(
    Effect.flatMap(
      on(coordinator, (sql) => sql`SELECT nodename, nodeport FROM pg_dist_node ORDER BY groupid`),
      decodeNodes
    )
  )
  const [first = coordinator, ...workers] = nodes.map(({ nodename, nodeport }) => {
    const url = new URL(coordinator)
    url.hostname = nodename
    url.port = `${nodeport}`
    url.pathname = `/${name}`
    return url
  })
  const postgres = new URL(first)
  postgres.pathname = "/postgres"
  await Effect.runPromise(on(postgres, (sql) => sql`CREATE DATABASE ${sql(name)}`))
  return {
    url: first.toString(),
    workers: workers.map(String),
    nodes: nodes.map(({ nodename, nodeport }) => `'${nodename}', ${nodeport}`)
  }
}
