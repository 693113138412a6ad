import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import * as PgClient from "@effect/sql-pg/PgClient"
import { PgAdapters } from "@loopbox/adapters-postgres"
import { Clock, Effect, Layer, Redacted } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { inject } from "vitest"
import { type TestServer, withDatabase } from "./globalSetup.ts"

const toTarget = ({ host, password, url, username }: TestServer): PgAdapters.Target =>
  url === undefined
    ? { host, username, database: "postgres", password: password === undefined ? undefined : Redacted.make(password) }
    : { url: Redacted.make(url) }

const onServer = (statement: (sql: PgClient.PgClient) => Effect.Effect<unknown, unknown>) =>
  PgAdapters.withLongRunningClient(
    toTarget(inject("loopboxTestServer")),
    {},
    Effect.flatMap(PgClient.PgClient, statement)
  ).pipe(Effect.orDie)

/** A database of one test file's own, copied from the migrated template, or empty; gone with the scope. */
export const testDatabase = (kind: "migrated" | "empty" = "migrated") =>
  Effect.gen(function* () {
    const server = inject("loopboxTestServer")
    const random = yield* SecureRandom.SecureRandom
    const name = `t_${(yield* random.uuidV7()).replaceAll("-", "")}`
    yield* Effect.acquireRelease(
      onServer((sql) =>
        kind === "empty"
          ? sql`CREATE DATABASE ${sql(name)}`
          : // Its files are copied: written through the log, as PostgreSQL does by itself, it takes four times as long.
            sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(server.template)} STRATEGY FILE_COPY`
      ),
      () => onServer((sql) => sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`)
    )
    return withDatabase(toTarget(server), name)
  }).pipe(
    Effect.provide(SecureRandom.layerWebCrypto),
    // A test's clock stands still, and connections wait in real time.
    Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())
  )

/** All store ports on a database of their own. */
export const layerStores = (options: PgAdapters.Options = {}) =>
  Layer.unwrap(
    Effect.map(testDatabase(), (target) => PgAdapters.layerTarget(target, { migrate: false, ...options }))
  ).pipe(Layer.provide(Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())), Layer.provideMerge(layerNetworks))
