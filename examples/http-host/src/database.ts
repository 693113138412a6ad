import { EmbeddedPostgres, findRunning, hasCluster, Migrations, PgAdapters } from "@loopbox/adapters-postgres"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { CommandFailed } from "./CommandFailed.ts"
import { makeDataFolder, placesIn } from "./dataFolder.ts"
import type { HostConfig } from "./hostConfig.ts"

/** What a host has to know of its database beside the stores. */
export class Database extends Context.Service<
  Database,
  {
    /** How a start names it. */
    readonly description: string
    /** Fails once a database of our own died too often. */
    readonly died: Effect.Effect<never, CommandFailed>
  }
>()("loopbox/Database") {}

const layerEmbeddedDatabase = Layer.effect(
  Database,
  Effect.map(EmbeddedPostgres, ({ clusterFolder, died, isElsewhere, major }) =>
    Database.of({
      description: isElsewhere
        ? `embedded PostgreSQL ${major} in ${clusterFolder}, for its account cannot enter the data folder`
        : `embedded PostgreSQL ${major} in ${clusterFolder}`,
      died: Effect.mapError(died, ({ message }) => new CommandFailed({ message }))
    })
  )
)

const layerServerDatabase = Layer.succeed(
  Database,
  Database.of({ description: "PostgreSQL of DATABASE_URL", died: Effect.never })
)

export interface OpenOptions {
  readonly migrate: boolean
  /** Whether a standby is waited for that may be about to be promoted. True. */
  readonly awaitsPromotion?: boolean
}

/** Stores over the server that is configured, else over one of our own in the data folder. */
export const layer = (config: HostConfig, options: OpenOptions) => {
  const common = {
    maxConnections: config.databasePool,
    workerConnections: config.workerPool,
    listenerUrl: Option.getOrUndefined(config.listenerUrl),
    ...options
  }
  return Option.match(config.databaseUrl, {
    onSome: (url) => Layer.merge(PgAdapters.layer({ ...common, url }), layerServerDatabase),
    onNone: () =>
      Layer.provideMerge(
        layerEmbeddedDatabase,
        PgAdapters.layerEmbedded({ ...common, folder: placesIn(config.dataFolder).database })
      ).pipe(Layer.provide(Layer.effectDiscard(makeDataFolder(config.dataFolder))))
  })
}

/** A database of our own is made by the first start, not by a look. */
export const isUntouched = (config: HostConfig) =>
  Effect.sync(() => Option.isNone(config.databaseUrl) && !hasCluster(placesIn(config.dataFolder).database))

/** For commands that read what is there: a new database would have nothing, and hide that the folder is a wrong one. */
export const requireDatabase = Effect.fnUntraced(function* (config: HostConfig) {
  if (!(yield* isUntouched(config))) return
  return yield* new CommandFailed({
    message:
      `There is no database in ${config.dataFolder}: no host has run on it. LOOPBOX_DATA names the data folder, ` +
      "DATABASE_URL a server."
  })
})

/**
 * The stores for a command, beside the hosts that run: one of our own is shared with the host that has it. Fails on a
 * database of another version.
 */
export const layerShared = (config: HostConfig, options: { readonly patience: Duration.Input }) =>
  Layer.provideMerge(Layer.effectDiscard(Migrations.check), layerBeside(config, options)).pipe(
    Layer.provide(Layer.effectDiscard(requireDatabase(config)))
  )

const layerBeside = (config: HostConfig, options: { readonly patience: Duration.Input }) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { patience } = options
      const common = {
        maxConnections: 2,
        migrate: false,
        callTimeout: patience,
        statementTimeout: patience,
        listenerUrl: Option.getOrUndefined(config.listenerUrl)
      }
      if (Option.isSome(config.databaseUrl)) return PgAdapters.layer({ ...common, url: config.databaseUrl.value })
      const folder = placesIn(config.dataFolder).database
      const running = yield* findRunning(folder)
      return Option.match(running, {
        onNone: () => PgAdapters.layerEmbedded({ ...common, folder }),
        onSome: (target) => PgAdapters.layerTarget(target, common)
      })
    })
  )
