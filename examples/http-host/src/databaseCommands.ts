import {
  type Counts,
  distributeDatabase as distribute,
  type DistributeOptions,
  EmbeddedPostgres,
  exportToFile,
  findRunning,
  importFromFile,
  Migrations,
  PgAdapters,
  targetOf,
  upgradeEmbedded
} from "@loopbox/adapters-postgres"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as path from "node:path"
import { CommandFailed } from "./CommandFailed.ts"
import { requireDatabase } from "./database.ts"
import { makeDataFolder, placesIn } from "./dataFolder.ts"
import type { HostConfig } from "./hostConfig.ts"
import { explainFailure } from "./startFailure.ts"
import { stopSignal } from "./stopSignal.ts"

/** Runs with the data folder's own database: beside the host that runs on it, else it is started for it. */
const withEmbedded = <A, E, R>(config: HostConfig, use: (target: PgAdapters.Target) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { database: folder } = placesIn(config.dataFolder)
    yield* makeDataFolder(config.dataFolder)
    const running = yield* findRunning(folder)
    if (Option.isSome(running)) return yield* use(running.value)
    return yield* Effect.flatMap(EmbeddedPostgres, (embedded) => use(targetOf(embedded))).pipe(
      Effect.provide(EmbeddedPostgres.layer({ folder }))
    )
  })

/** Runs with the configured database, past a pooler in front of it, or with the data folder's own. */
const withTarget = <A, E, R>(config: HostConfig, use: (target: PgAdapters.Target) => Effect.Effect<A, E, R>) =>
  Option.match(config.databaseUrl, {
    onSome: (url) =>
      PgAdapters.checkListener({ url }, { listenerUrl: Option.getOrUndefined(config.listenerUrl) }).pipe(
        Effect.andThen(use({ url: Option.getOrElse(config.listenerUrl, () => url) }))
      ),
    onNone: () => withEmbedded(config, use)
  })

/** Brings the schema up to date and says what that took. */
export const migrate = (config: HostConfig) =>
  withTarget(config, (target) =>
    PgAdapters.withLongRunningClient(target, {}, Effect.all({ ran: Migrations.run, standing: Migrations.check }))
  ).pipe(
    Effect.map(({ ran, standing }) => ({ ran, newest: Migrations.describe(standing) })),
    explainFailure
  )

const summary = (counts: Counts) => ({
  tables: Object.keys(counts).length,
  rows: Object.values(counts).reduce((sum, count) => sum + count, 0)
})

/** Ctrl-C and SIGTERM end it as a failure does: what it has begun beside is taken away. */
const untilStopped = Effect.flatMap(stopSignal, (signal) =>
  Effect.fail(new CommandFailed({ message: `Stopped by ${signal}. Nothing was written.` }))
)

export const exportDatabase = (config: HostConfig, file: string) =>
  // Signals first: a file that was begun before somebody listens would stay.
  Effect.raceFirst(
    untilStopped,
    requireDatabase(config).pipe(
      Effect.andThen(withTarget(config, (target) => exportToFile(target, path.resolve(file)))),
      Effect.map(summary)
    )
  ).pipe(explainFailure)

export const importDatabase = (config: HostConfig, file: string) =>
  withTarget(config, (target) => importFromFile(target, path.resolve(file))).pipe(Effect.map(summary), explainFailure)

/** Moves the tables of a coordinator's database to their places on its nodes. */
export const distributeDatabase = Effect.fnUntraced(function* (config: HostConfig, options: DistributeOptions) {
  if (Option.isNone(config.databaseUrl)) {
    return yield* new CommandFailed({
      message:
        "The embedded database is one server. Move to PostgreSQL servers with Citus first (`loopbox db export` and " +
        "`loopbox db import`), and set DATABASE_URL to the coordinator; docs/operations/distributed.md has the steps."
    })
  }
  return yield* withTarget(config, (target) => distribute(target, options))
}, explainFailure)

/** Brings the data folder's own database to the PostgreSQL that this release has. */
export const upgradeDatabase = Effect.fnUntraced(function* (config: HostConfig, oldPrograms: Option.Option<string>) {
  if (Option.isSome(config.databaseUrl)) {
    return yield* new CommandFailed({
      message:
        "DATABASE_URL names a server: upgrade it with its own means (pg_upgrade), or move to another one with " +
        "`loopbox db export` and `loopbox db import`. `db upgrade` is for the embedded database."
    })
  }
  yield* makeDataFolder(config.dataFolder)
  return yield* upgradeEmbedded(placesIn(config.dataFolder).database, {
    oldPrograms: Option.getOrUndefined(oldPrograms)
  })
}, explainFailure)
