import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { AccessChanges } from "@loopbox/core/access/AccessChanges"
import type { ApiKeys } from "@loopbox/core/access/ApiKeys"
import type { ManagedUsers } from "@loopbox/core/access/ManagedUsers"
import type { Members } from "@loopbox/core/access/Members"
import type { AccountCredentials } from "@loopbox/core/accounts/AccountCredentials"
import type { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import type { ConversionSignals } from "@loopbox/core/conversions/ConversionSignals"
import type { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import type { AuthorProfiles } from "@loopbox/core/inbox/AuthorProfiles"
import type { InboxEvents } from "@loopbox/core/inbox/InboxEvents"
import type { InboxStore } from "@loopbox/core/inbox/InboxStore"
import type { SyncStore } from "@loopbox/core/inbox/SyncStore"
import type { MediaContextStore } from "@loopbox/core/inbox/MediaContextStore"
import type { WebhookDeliveries } from "@loopbox/core/inbox/WebhookDeliveries"
import type { MediaStore } from "@loopbox/core/media/MediaStore"
import type { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import type { Workspaces } from "@loopbox/core/plans/Workspaces"
import type { RetentionStore } from "@loopbox/core/retention/RetentionStore"
import { type EmbeddedOptions, EmbeddedPostgres, targetOf } from "./embedded/EmbeddedPostgres.ts"
import type { EmbeddedPostgresError } from "./embedded/EmbeddedPostgresError.ts"
import * as EventLog from "./internal/EventLog.ts"
import * as Signals from "./internal/Signals.ts"
import { CallTimeout } from "./internal/storeFailure.ts"
import * as Migrations from "./Migrations.ts"
import * as PgAccessChanges from "./PgAccessChanges.ts"
import * as PgAccountCredentials from "./PgAccountCredentials.ts"
import * as PgApiKeys from "./PgApiKeys.ts"
import * as PgAuthorProfiles from "./PgAuthorProfiles.ts"
import * as PgConversionSignals from "./PgConversionSignals.ts"
import * as PgConversionStore from "./PgConversionStore.ts"
import * as PgInboxEvents from "./PgInboxEvents.ts"
import * as PgInboxStore from "./PgInboxStore.ts"
import * as PgManagedUsers from "./PgManagedUsers.ts"
import * as PgMediaContextStore from "./PgMediaContextStore.ts"
import * as PgMediaStore from "./PgMediaStore.ts"
import * as PgMembers from "./PgMembers.ts"
import * as PgOutboundStore from "./PgOutboundStore.ts"
import * as PgRetentionStore from "./PgRetentionStore.ts"
import * as PgSocialAccounts from "./PgSocialAccounts.ts"
import * as PgSyncStore from "./PgSyncStore.ts"
import * as PgWebhookDeliveries from "./PgWebhookDeliveries.ts"
import * as PgWorkspaces from "./PgWorkspaces.ts"

export type Stores =
  | Workspaces
  | Members
  | AccessChanges
  | ApiKeys
  | MediaStore
  | ConversionStore
  | RetentionStore
  | ConversionSignals
  | ManagedUsers
  | SocialAccounts
  | AccountCredentials
  | InboxStore
  | InboxEvents
  | AuthorProfiles
  | SyncStore
  | WebhookDeliveries
  | OutboundStore
  | MediaContextStore

/** How the stores use their database; every setting has a default. */
export interface Options {
  /** Connections of the pool; the signals take one more. 10. */
  readonly maxConnections?: number
  /** How the connections call themselves in `pg_stat_activity`. "loopbox". */
  readonly applicationName?: string
  /** For the whole of one call of a store, the wait for a connection included. 10 seconds. */
  readonly callTimeout?: Duration.Input
  /** 8 seconds. */
  readonly statementTimeout?: Duration.Input
  /** 5 seconds. */
  readonly lockTimeout?: Duration.Input
  /** 5 seconds. */
  readonly connectTimeout?: Duration.Input
  /** Whether the layer runs pending migrations before it is built. True. */
  readonly migrate?: boolean
}

/** Which database: a URL, or the parts that the embedded server has. */
export type Target = Pick<PgClient.PgClientConfig, "url" | "host" | "port" | "username" | "password" | "database">

const millis = (duration: Duration.Input): string =>
  `${Math.ceil(Duration.toMillis(Duration.fromInputUnsafe(duration)))}`

/** The settings of a pool for requests: whatever hangs ends within its time-out. */
export const poolConfig = (target: Target, options: Options = {}): PgClient.PgPoolConfig => ({
  ...target,
  maxConnections: options.maxConnections ?? 10,
  applicationName: options.applicationName ?? "loopbox",
  connectTimeout: options.connectTimeout ?? "5 seconds",
  keepAlive: "30 seconds",
  startupParameters: {
    statement_timeout: millis(options.statementTimeout ?? "8 seconds"),
    lock_timeout: millis(options.lockTimeout ?? "5 seconds"),
    idle_in_transaction_session_timeout: "30000"
  }
})

/** The settings of a client for migrations and exports, which may take as long as they need. */
export const longRunningConfig = (target: Target, options: Options = {}): PgClient.PgPoolConfig => ({
  ...target,
  maxConnections: 1,
  applicationName: `${options.applicationName ?? "loopbox"} maintenance`,
  connectTimeout: options.connectTimeout ?? "5 seconds",
  keepAlive: "30 seconds",
  startupParameters: { statement_timeout: "0", lock_timeout: "60000", idle_in_transaction_session_timeout: "0" }
})

/** Runs an effect with a client of its own that has no statement time-out. */
export const withLongRunningClient = <A, E, R>(
  target: Target,
  options: Options,
  self: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, Exclude<R, PgClient.PgClient | SqlClient>> =>
  Effect.scoped(
    Effect.flatMap(PgClient.make(longRunningConfig(target, options)), (client) =>
      Effect.provideContext(self, Context.make(PgClient.PgClient, client).pipe(Context.add(SqlClient, client)))
    )
  ).pipe(Effect.provide(Reactivity.layer))

/** All store ports over a client that is there already. */
export const layerStores: Layer.Layer<Stores, never, PgClient.PgClient | SqlClient> = Layer.mergeAll(
  PgWorkspaces.layer,
  PgMembers.layer,
  PgAccessChanges.layer,
  PgApiKeys.layer,
  PgMediaStore.layer,
  PgConversionStore.layer,
  PgRetentionStore.layer,
  PgConversionSignals.layer,
  PgManagedUsers.layer,
  PgSocialAccounts.layer,
  PgAccountCredentials.layer,
  PgInboxStore.layer,
  PgInboxEvents.layer,
  PgAuthorProfiles.layer,
  PgSyncStore.layer,
  PgWebhookDeliveries.layer,
  PgOutboundStore.layer,
  PgMediaContextStore.layer
).pipe(Layer.provide(EventLog.layer), Layer.provide(Signals.layer))

/** Migrates, unless told not to, and gives a pool. */
const layerPool = (
  target: Target,
  options: Options
): Layer.Layer<PgClient.PgClient | SqlClient, SqlError | Migrations.MigrationRefused> =>
  Layer.unwrap(
    Effect.gen(function* () {
      if (options.migrate ?? true) {
        const names = yield* withLongRunningClient(target, options, Migrations.run)
        if (names.length > 0) yield* Effect.logInfo("the database was migrated", names)
      }
      return PgClient.layer(poolConfig(target, options))
    })
  )

/** All store ports, and the client under them, over any target. */
export const layerTarget = (
  target: Target,
  options: Options = {}
): Layer.Layer<Stores | PgClient.PgClient | SqlClient, SqlError | Migrations.MigrationRefused> =>
  // Fresh, because a layer is built once whatever it is provided with: of two databases the first would serve both.
  Layer.provideMerge(Layer.fresh(layerStores), layerPool(target, options)).pipe(
    Layer.provide(Layer.succeed(CallTimeout, Duration.fromInputUnsafe(options.callTimeout ?? "10 seconds")))
  )

/** All store ports over a server (`postgres://user:password@host/database`). */
export const layer = (
  options: Options & { readonly url: Redacted.Redacted }
): Layer.Layer<Stores | PgClient.PgClient | SqlClient, SqlError | Migrations.MigrationRefused> =>
  layerTarget({ url: options.url }, options)

/** All store ports over a server of our own, which lives in a folder and as long as the layer. */
export const layerEmbedded = (
  options: Options & EmbeddedOptions
): Layer.Layer<
  Stores | EmbeddedPostgres | PgClient.PgClient | SqlClient,
  EmbeddedPostgresError | SqlError | Migrations.MigrationRefused
> =>
  Layer.unwrap(Effect.map(EmbeddedPostgres, (server) => layerTarget(targetOf(server), options))).pipe(
    Layer.provideMerge(EmbeddedPostgres.layer(options))
  )
