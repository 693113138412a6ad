import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { AccessChanges } from "@loopbox/core/access/AccessChanges"
import type { ApiKeys } from "@loopbox/core/workspaces/ApiKeys"
import type { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import type { Members } from "@loopbox/core/workspaces/Members"
import type { AccountCredentials } from "@loopbox/core/accounts/AccountCredentials"
import type { AccountHealthStore } from "@loopbox/core/health/AccountHealthStore"
import type { Erasures } from "@loopbox/core/accounts/Erasures"
import type { SearchWords } from "@loopbox/core/inbox/SearchWords"
import type { SavedReplyStore } from "@loopbox/core/savedReplies/SavedReplyStore"
import type { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import type { ConnectSessionStore } from "@loopbox/core/connecting/ConnectSessionStore"
import type { ConsoleSessionStore } from "@loopbox/core/access/ConsoleSessionStore"
import type { DeletionRequests } from "@loopbox/core/connecting/DeletionRequests"
import type { JobSignals } from "@loopbox/core/jobs/JobSignals"
import type { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import type { OverlayStore } from "@loopbox/core/overlays/OverlayStore"
import type { AuditStore } from "@loopbox/core/audit/AuditStore"
import type { ExportStore } from "@loopbox/core/exporting/ExportStore"
import type { AuthorProfiles } from "@loopbox/core/inbox/AuthorProfiles"
import type { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import type { InboxStore } from "@loopbox/core/inbox/InboxStore"
import type { IngestStore } from "@loopbox/core/inbox/IngestStore"
import type { ThreadStore } from "@loopbox/core/threads/ThreadStore"
import type { UnreadCounters } from "@loopbox/core/inbox/UnreadCounters"
import type { PollStore } from "@loopbox/core/sync/PollStore"
import type { SyncStore } from "@loopbox/core/sync/SyncStore"
import type { MediaContextStore } from "@loopbox/core/inbox/MediaContextStore"
import type { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import type { MediaStore } from "@loopbox/core/media/MediaStore"
import type { ActionPaces } from "@loopbox/core/moderation/ActionPaces"
import type { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import type { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import type { OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import type { PostStore } from "@loopbox/core/posts/PostStore"
import type { UsageStore } from "@loopbox/core/usage/UsageStore"
import type { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { OtherBus, type SignalBus } from "@loopbox/core/kernel/SignalBus"
import type { RetentionStore } from "@loopbox/core/retention/RetentionStore"
import { type EmbeddedOptions, EmbeddedPostgres, targetOf } from "./embedded/EmbeddedPostgres.ts"
import type { EmbeddedPostgresError } from "./embedded/EmbeddedPostgresError.ts"
import * as EventLog from "./stores/inbox/EventLog.ts"
import * as Signals from "./connection/Signals.ts"
import { CallTimeout } from "./connection/storeFailure.ts"
import * as Migrations from "./Migrations.ts"
import * as Pools from "./connection/Pools.ts"
import { checkBehindPooler } from "./connection/behindPooler.ts"
import { findTarget, followPrimary } from "./connection/Primary.ts"
import type { Target } from "./connection/Target.ts"
import * as PgAccessChanges from "./stores/access/PgAccessChanges.ts"
import * as PgAccountCredentials from "./stores/accounts/PgAccountCredentials.ts"
import * as PgAccountHealthStore from "./stores/accounts/PgAccountHealthStore.ts"
import * as PgErasures from "./stores/accounts/PgErasures.ts"
import { Listener } from "./connection/PgSignalBus.ts"
import * as PgApiKeys from "./stores/access/PgApiKeys.ts"
import * as PgAuditStore from "./stores/audit/PgAuditStore.ts"
import * as PgExportStore from "./stores/exporting/PgExportStore.ts"
import * as PgAuthorProfiles from "./stores/inbox/PgAuthorProfiles.ts"
import * as PgConnectSessionStore from "./stores/connecting/PgConnectSessionStore.ts"
import * as PgConsoleSessionStore from "./stores/console/PgConsoleSessionStore.ts"
import * as PgDeletionRequests from "./stores/connecting/PgDeletionRequests.ts"
import * as PgJobSignals from "./stores/media/PgJobSignals.ts"
import * as PgJobStore from "./stores/media/PgJobStore.ts"
import * as PgActionPaces from "./stores/moderation/PgActionPaces.ts"
import * as PgInboxEvents from "./stores/inbox/PgInboxEvents.ts"
import * as PgInboxStore from "./stores/inbox/PgInboxStore.ts"
import * as PgIngestStore from "./stores/inbox/PgIngestStore.ts"
import * as PgUnreadCounters from "./stores/inbox/PgUnreadCounters.ts"
import * as PgManagedUsers from "./stores/access/PgManagedUsers.ts"
import * as PgMediaContextStore from "./stores/inbox/PgMediaContextStore.ts"
import * as PgMediaStore from "./stores/media/PgMediaStore.ts"
import * as PgMembers from "./stores/access/PgMembers.ts"
import * as PgPostStore from "./stores/posts/PgPostStore.ts"
import * as PgOutboundStore from "./stores/outbound/PgOutboundStore.ts"
import * as PgOutgoingEndpointStore from "./stores/outgoing/PgOutgoingEndpointStore.ts"
import * as PgOutgoingQueue from "./stores/outgoing/PgOutgoingQueue.ts"
import * as PgRetentionStore from "./stores/media/PgRetentionStore.ts"
import * as PgSweepTurns from "./stores/media/PgSweepTurns.ts"
import * as PgSavedReplyStore from "./stores/inbox/PgSavedReplyStore.ts"
import * as PgSearchWords from "./stores/inbox/PgSearchWords.ts"
import * as PgSocialAccounts from "./stores/accounts/PgSocialAccounts.ts"
import * as PgPollStore from "./stores/sync/PgPollStore.ts"
import * as PgSyncStore from "./stores/sync/PgSyncStore.ts"
import * as PgUsageStore from "./stores/usage/PgUsageStore.ts"
import * as PgThreadStore from "./stores/threads/PgThreadStore.ts"
import * as PgWebhookDeliveries from "./stores/sync/PgWebhookDeliveries.ts"
import * as PgWorkspaces from "./stores/access/PgWorkspaces.ts"

export type Stores =
  | Workspaces
  | Members
  | AccessChanges
  | ApiKeys
  | MediaStore
  | ConversionStore
  | OverlayStore
  | RetentionStore
  | JobSignals
  | ManagedUsers
  | SocialAccounts
  | AccountCredentials
  | AccountHealthStore
  | Erasures
  | InboxStore
  | IngestStore
  | ThreadStore
  | UnreadCounters
  | InboxEvents
  | AuthorProfiles
  | PollStore
  | SyncStore
  | WebhookDeliveries
  | OutboundStore
  | PostStore
  | ActionPaces
  | MediaContextStore
  | ConnectSessionStore
  | ConsoleSessionStore
  | DeletionRequests
  | UsageStore
  | SavedReplyStore
  | AuditStore
  | SearchWords
  | ExportStore
  | OutgoingEndpointStore
  | OutgoingQueue

/** How the stores use their database; every setting has a default. */
export interface Options {
  /** Connections of the pool of requests, and of everything that says nothing else; the signals take one more. 10. */
  readonly maxConnections?: number
  /** Connections of the pool of what runs with `Pools.layerWorkers`. As many as `maxConnections`. */
  readonly workerConnections?: number
  /**
   * The database itself, when the target is a pooler that lends connections by transaction: for LISTEN, migrations and
   * exports, which need a session that stays. None: the target is no pooler.
   */
  readonly listenerUrl?: Redacted.Redacted | undefined
  /** Brings words between processes in place of NOTIFY (`@loopbox/core/kernel/SignalBus`). None: NOTIFY. */
  readonly bus?: SignalBus | undefined
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
  /**
   * Whether the layer waits up to a minute where none of a target's servers takes writes, for a standby may be about to be
   * promoted; or each of them is asked once. True.
   */
  readonly awaitsPromotion?: boolean
}

export type { Target }

const millis = (duration: Duration.Input): string =>
  `${Math.ceil(Duration.toMillis(Duration.fromInputUnsafe(duration)))}`

/** Connections of each pool. */
const sizesOf = ({ maxConnections = 10, workerConnections = maxConnections }: Options) => ({
  requests: maxConnections,
  workers: workerConnections
})

/**
 * What keeps a session, or a transaction, from hanging: whatever does ends within its time-out. No statement of ours is
 * worth compiling.
 */
const timeLimits = (options: Options) => ({
  jit: "off",
  statement_timeout: millis(options.statementTimeout ?? "8 seconds"),
  lock_timeout: millis(options.lockTimeout ?? "5 seconds"),
  idle_in_transaction_session_timeout: "30000"
})

const sessionConfig = (options: Options) => ({
  applicationName: options.applicationName ?? "loopbox",
  connectTimeout: options.connectTimeout ?? "5 seconds",
  keepAlive: Duration.seconds(30)
})

/**
 * The settings of a pool for requests. A pooler lends a session for one transaction: it takes no settings at the start,
 * keeps none, and has no statement that was prepared before.
 */
const poolConfig = (options: Options): Omit<Pools.PoolConfig, "primary"> =>
  options.listenerUrl === undefined
    ? { session: { ...sessionConfig(options), startupParameters: timeLimits(options) } }
    : { session: { ...sessionConfig(options), prepare: false }, transactionSettings: timeLimits(options) }

/** The settings of a client for migrations and exports, which may take as long as they need. */
const longRunningConfig = (target: Target, options: Options): PgClient.PgPoolConfig => ({
  ...target,
  ...sessionConfig(options),
  maxConnections: 1,
  applicationName: `${options.applicationName ?? "loopbox"} maintenance`,
  startupParameters: { statement_timeout: "0", lock_timeout: "60000", idle_in_transaction_session_timeout: "0" }
})

/** Where sessions of one's own are to be had: past the pooler, where there is one. */
const behindPooler = (target: Target, { listenerUrl }: Options): Target =>
  listenerUrl === undefined ? target : { url: listenerUrl }

/**
 * Runs an effect with a client of its own that has no statement time-out: at the primary, where the target names several
 * hosts, and past the pooler, where `listenerUrl` says what is behind it.
 */
export const withLongRunningClient = <A, E, R>(
  target: Target,
  options: Options,
  self: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, Exclude<R, PgClient.PgClient | SqlClient>> =>
  Effect.scoped(
    Effect.gen(function* () {
      const primary = yield* findTarget(behindPooler(target, options), options)
      const client = yield* PgClient.make(longRunningConfig(primary, options))
      const context = Context.make(PgClient.PgClient, client).pipe(Context.add(SqlClient, client))
      return yield* Effect.provideContext(self, context)
    })
  ).pipe(Effect.provide(Reactivity.layer))

const allStores: Layer.Layer<Stores, never, Listener | SqlClient> = Layer.mergeAll(
  PgWorkspaces.layer,
  PgMembers.layer,
  PgAccessChanges.layer,
  PgApiKeys.layer,
  PgMediaStore.layer,
  PgJobStore.layer,
  PgRetentionStore.layer,
  PgSweepTurns.layer,
  PgJobSignals.layer,
  PgManagedUsers.layer,
  PgSocialAccounts.layer,
  PgAccountCredentials.layer,
  PgAccountHealthStore.layer,
  PgErasures.layer,
  PgInboxStore.layer,
  PgIngestStore.layer,
  PgThreadStore.layer,
  PgUnreadCounters.layer,
  PgInboxEvents.layer,
  PgAuthorProfiles.layer,
  PgPollStore.layer,
  PgSyncStore.layer,
  PgWebhookDeliveries.layer,
  PgOutboundStore.layer,
  PgPostStore.layer,
  PgActionPaces.layer,
  PgMediaContextStore.layer,
  PgConnectSessionStore.layer,
  PgConsoleSessionStore.layer,
  PgDeletionRequests.layer,
  PgUsageStore.layer,
  PgSavedReplyStore.layer,
  PgAuditStore.layer,
  PgSearchWords.layer,
  PgExportStore.layer,
  PgOutgoingEndpointStore.layer,
  PgOutgoingQueue.layer
).pipe(Layer.provide(EventLog.layer), Layer.provide(Signals.layer))

/** Fails where `listenerUrl` is none of the database that the target, a pooler, lends. */
export const checkListener = (
  target: Target,
  { awaitsPromotion, listenerUrl }: Options
): Effect.Effect<void, SqlError | Migrations.MigrationRefused> =>
  listenerUrl === undefined ? Effect.void : checkBehindPooler(target, { url: listenerUrl }, { awaitsPromotion })

/** Migrates, unless told not to, and gives the pools. */
const layerPools = (target: Target, options: Options) =>
  Layer.unwrap(
    Effect.gen(function* () {
      yield* checkListener(target, options)
      if (options.migrate ?? true) {
        const names = yield* withLongRunningClient(target, options, Migrations.run)
        if (names.length > 0) yield* Effect.logInfo("the database was migrated", names)
      }
      return Pools.layer({ primary: yield* followPrimary(target, options), ...poolConfig(options) })
    })
  )

/** Connections of its own, for LISTEN needs one that stays. */
const layerListener = (target: Target, options: Options) =>
  Layer.effect(
    Listener,
    // The pools follow the same servers, and count.
    Effect.map(
      followPrimary(behindPooler(target, options), { awaitsPromotion: options.awaitsPromotion, isCounted: false }),
      (primary) => ({
        primary,
        session: { ...sessionConfig(options), applicationName: `${options.applicationName ?? "loopbox"} signals` }
      })
    )
  )

/** What the stores have to know of how they are used. */
const layerSettings = (options: Options) =>
  Layer.mergeAll(
    Layer.succeed(CallTimeout, Duration.fromInputUnsafe(options.callTimeout ?? "10 seconds")),
    Layer.succeed(Pools.PoolSizes, sizesOf(options)),
    options.bus === undefined ? Layer.empty : Layer.succeed(OtherBus, Option.some(options.bus))
  )

/** All store ports over a client that is there already; the target is where they listen. */
export const layerStores = (target: Target, options: Options = {}): Layer.Layer<Stores, SqlError, SqlClient> =>
  // Fresh, because a layer is built once whatever it is provided with: of two databases the first would serve both.
  Layer.fresh(allStores).pipe(Layer.provide(layerListener(target, options)), Layer.provide(layerSettings(options)))

/** What every layer of this module gives. */
type Given = Stores | Pools.Pools | SqlClient

/** All store ports, and the client under them, over any target. */
export const layerTarget = (
  target: Target,
  options: Options = {}
): Layer.Layer<Given, SqlError | Migrations.MigrationRefused> =>
  layerStores(target, options).pipe(
    Layer.provideMerge(layerPools(target, options).pipe(Layer.provide(layerSettings(options))))
  )

/** All store ports over a server (`postgres://user:password@host/database`). */
export const layer = (
  options: Options & { readonly url: Redacted.Redacted }
): Layer.Layer<Given, SqlError | Migrations.MigrationRefused> => layerTarget({ url: options.url }, options)

/**
 * Connections of an embedded server: both pools, the signals, and spare ones for commands, exports and psql.
 */
const serverConnections = (options: Options): string => {
  const { requests, workers } = sizesOf(options)
  return `${Math.max(50, requests + workers + 20)}`
}

/** All store ports over a server of our own, which lives in a folder and as long as the layer. */
export const layerEmbedded = (
  options: Options & EmbeddedOptions
): Layer.Layer<Given | EmbeddedPostgres, EmbeddedPostgresError | SqlError | Migrations.MigrationRefused> =>
  Layer.unwrap(Effect.map(EmbeddedPostgres, (server) => layerTarget(targetOf(server), options))).pipe(
    Layer.provideMerge(
      EmbeddedPostgres.layer({
        ...options,
        settings: { max_connections: serverConnections(options), ...options.settings }
      })
    )
  )
