import {
  type Counts,
  EmbeddedPostgres,
  exportToFile,
  importFromFile,
  Migrations,
  PgAdapters,
  targetOf
} from "@loopbox/adapters-postgres"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as path from "node:path"
import { makeDataFolder, placesIn } from "./dataFolder.ts"
import type { HostConfig } from "./hostConfig.ts"
import { explainFailure } from "./startFailure.ts"

/** Runs with the configured database, or with the data folder's own, which is started for it. */
const withTarget = <A, E, R>(config: HostConfig, use: (target: PgAdapters.Target) => Effect.Effect<A, E, R>) =>
  Option.match(config.databaseUrl, {
    onSome: (url) => use({ url }),
    onNone: () =>
      makeDataFolder(config.dataFolder).pipe(
        Effect.andThen(Effect.flatMap(EmbeddedPostgres, (embedded) => use(targetOf(embedded)))),
        Effect.provide(EmbeddedPostgres.layer({ folder: placesIn(config.dataFolder).database }))
      )
  })

/** Brings the schema up to date and says what that took. */
export const migrate = (config: HostConfig) =>
  withTarget(config, (target) =>
    PgAdapters.withLongRunningClient(target, {}, Effect.all({ ran: Migrations.run, newest: Migrations.check }))
  ).pipe(explainFailure)

const summary = (counts: Counts) => ({
  tables: Object.keys(counts).length,
  rows: Object.values(counts).reduce((sum, count) => sum + count, 0)
})

export const exportDatabase = (config: HostConfig, file: string) =>
  withTarget(config, (target) => exportToFile(target, path.resolve(file))).pipe(Effect.map(summary), explainFailure)

export const importDatabase = (config: HostConfig, file: string) =>
  withTarget(config, (target) => importFromFile(target, path.resolve(file))).pipe(Effect.map(summary), explainFailure)
