import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import * as PgClient from "@effect/sql-pg/PgClient"
import { PgAdapters } from "@loopbox/adapters-postgres"
import { Clock, Effect, Layer, Redacted, Schedule } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { inject } from "vitest"
import type { TestServer } from "./globalSetup.ts"
import { layerNamedWorkspaces } from "./namedWorkspaces.ts"
import { aloneBeside, settingsOf, withDatabase } from "./testCluster.ts"

const toTarget = ({ host, password, url, username }: TestServer): PgAdapters.Target =>
  url === undefined
    ? { host, username, database: "postgres", password: password === undefined ? undefined : Redacted.make(password) }
    : { url: Redacted.make(url) }

/** On every node, where the server is the coordinator of several. */
const onServer = (statement: (sql: PgClient.PgClient) => Effect.Effect<unknown, unknown>, isAlone = false) => {
  const server = inject("loopboxTestServer")
  const workers = (isAlone ? [] : (server.workers ?? [])).map((url): PgAdapters.Target => ({ url: Redacted.make(url) }))
  return Effect.forEach(
    [toTarget(server), ...workers],
    (node) => PgAdapters.withLongRunningClient(node, {}, Effect.flatMap(PgClient.PgClient, statement)),
    { concurrency: "unbounded", discard: true }
  ).pipe(
    // Citus' own worker on a database comes back after it was sent away.
    Effect.retry({ times: (server.workers ?? []).length > 0 ? 5 : 0, schedule: Schedule.spaced("300 millis") }),
    Effect.orDie
  )
}

/** A test's clock stands still, and connections wait in real time. */
const inRealTime = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, Clock.Clock, Clock.Clock.defaultValue())

/** A new database, gone with the scope: the copy of a template, or empty. */
const copyOf = (template: string | undefined, isDistributed = false, isAlone = false) =>
  Effect.gen(function* () {
    const random = yield* SecureRandom.SecureRandom
    const name = `t_${(yield* random.uuidV7()).replaceAll("-", "")}`
    yield* Effect.acquireRelease(
      onServer(
        (sql) =>
          template === undefined
            ? sql`CREATE DATABASE ${sql(name)}`
            : // Its files are copied: written through the log, as PostgreSQL does by itself, it takes four times as long.
              sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(template)} STRATEGY FILE_COPY`,
        isAlone
      ),
      () => onServer((sql) => sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`)
    )
    if (isDistributed) yield* onServer(settingsOf(name))
    return withDatabase(toTarget(inject("loopboxTestServer")), name)
  }).pipe(Effect.provide(SecureRandom.layerWebCrypto), inRealTime)

/**
 * A database of one test file's own, copied from the migrated template, or empty; gone with the scope. On a cluster one
 * that is `alone` is migrated, too, and not distributed.
 */
export const testDatabase = (kind: "migrated" | "alone" | "empty" = "migrated") =>
  Effect.suspend(() => {
    if (kind === "empty") return copyOf(undefined)
    const { template, workers = [] } = inject("loopboxTestServer")
    if (workers.length === 0) return copyOf(template)
    return kind === "alone" ? copyOf(aloneBeside(template), false, true) : copyOf(template, true)
  })

interface Filling {
  readonly name: string
  readonly fill: (target: PgAdapters.Target) => Effect.Effect<unknown, unknown>
  /** What was filled before it; without it the migrated database. */
  readonly from?: Filling
}

/**
 * The name of a filled database that test files copy. Whoever asks first fills it, while the others wait: a million rows
 * take a minute to write, and seconds to copy.
 */
const filledTemplate = ({ fill, from, name }: Filling): Effect.Effect<string> =>
  Effect.gen(function* () {
    const server = inject("loopboxTestServer")
    const copied = from === undefined ? server.template : yield* filledTemplate(from)
    const template = `${server.template}_${name}`
    const unfinished = `${template}_unfinished`
    const make = Effect.gen(function* () {
      yield* onServer((sql) => sql`DROP DATABASE IF EXISTS ${sql(unfinished)} WITH (FORCE)`)
      yield* onServer((sql) => sql`CREATE DATABASE ${sql(unfinished)} TEMPLATE ${sql(copied)} STRATEGY FILE_COPY`)
      yield* Effect.orDie(fill(withDatabase(toTarget(server), unfinished)))
      yield* onServer((sql) => sql`ALTER DATABASE ${sql(unfinished)} RENAME TO ${sql(template)}`)
    })
    yield* onServer((sql) =>
      sql.withTransaction(
        Effect.gen(function* () {
          // Filling takes longer than connections may wait otherwise.
          for (const setting of ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"]) {
            yield* sql`SELECT set_config(${setting}, '0', true)`
          }
          yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${template}, 0))`
          const made = yield* sql`SELECT FROM pg_database WHERE datname = ${template}`
          if (made.length === 0) yield* make
        })
      )
    )
    return template
  })

/** A database of one test file's own, copied from one that was filled once for all files that name it. */
export const filledDatabase = (filling: Filling) => Effect.flatMap(inRealTime(filledTemplate(filling)), copyOf)

/** The same database through the PgBouncer that CI names: it lends a session for one transaction. */
export const throughPooler = (target: PgAdapters.Target, pooler: string): PgAdapters.Target => {
  const url = new URL(Redacted.value(target.url ?? Redacted.make("postgresql://none")))
  url.host = pooler
  return { url: Redacted.make(url.toString()) }
}

const pooler = process.env["LOOPBOX_TEST_POOLER"]

/** All store ports on a database of their own. */
export const layerStores = (options: PgAdapters.Options = {}, kind: "migrated" | "alone" = "migrated") =>
  Layer.unwrap(
    Effect.map(testDatabase(kind), (target) =>
      Layer.merge(
        layerNamedWorkspaces(target),
        pooler === undefined || target.url === undefined
          ? PgAdapters.layerTarget(target, { migrate: false, ...options })
          : PgAdapters.layerTarget(throughPooler(target, pooler), {
              migrate: false,
              listenerUrl: target.url,
              ...options
            })
      )
    )
  ).pipe(Layer.provide(Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())), Layer.provideMerge(layerNetworks))
