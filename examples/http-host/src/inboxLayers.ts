import * as dashboardTokens from "@loopbox/adapters-http/server/access/dashboardTokens"
import { PgCredentialVault } from "@loopbox/adapters-postgres"
import { MetaSignedRequests, SocialConnectors, SocialWebhookGate } from "@loopbox/adapters-social"
import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import { InboxAccess } from "@loopbox/core/access/InboxAccess"
import { AccountTokens } from "@loopbox/core/accounts/AccountTokens"
import { ConnectSessions } from "@loopbox/core/connecting/ConnectSessions"
import { MetaCallbacks } from "@loopbox/core/connecting/MetaCallbacks"
import { EventFeed } from "@loopbox/core/feed/EventFeed"
import { defaultFeedMemory, FeedMemory } from "@loopbox/core/feed/FeedMemory"
import * as AccountChecks from "@loopbox/core/health/AccountChecks"
import { ConnectedAccounts } from "@loopbox/core/health/ConnectedAccounts"
import { Inbox } from "@loopbox/core/inbox/Inbox"
import * as InboxSweeper from "@loopbox/core/sweeping/InboxSweeper"
import { Ingest } from "@loopbox/core/inbox/Ingest"
import * as ProfileWorker from "@loopbox/core/inbox/ProfileWorker"
import * as NodeWebhookSender from "@loopbox/adapters-http/node/sending/NodeWebhookSender"
import * as DeliveryWorker from "@loopbox/core/outgoing/DeliveryWorker"
import { EndpointDeliveries } from "@loopbox/core/outgoing/EndpointDeliveries"
import { WebhookEndpoints } from "@loopbox/core/outgoing/WebhookEndpoints"
import { SavedReplies } from "@loopbox/core/savedReplies/SavedReplies"
import * as ThreadKeeper from "@loopbox/core/threads/ThreadKeeper"
import { Threads } from "@loopbox/core/threads/Threads"
import { Sync } from "@loopbox/core/sync/Sync"
import * as SyncWorker from "@loopbox/core/polling/SyncWorker"
import { MediaContexts } from "@loopbox/core/inbox/MediaContexts"
import { Webhooks } from "@loopbox/core/webhooks/Webhooks"
import * as WebhookWorker from "@loopbox/core/webhooks/WebhookWorker"
import { Moderations } from "@loopbox/core/moderation/Moderations"
import { Replies } from "@loopbox/core/replies/Replies"
import * as ReplyWorker from "@loopbox/core/replies/ReplyWorker"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type { HostConfig } from "./hostConfig.ts"
import type { HostSecrets } from "./hostSecrets.ts"
import type { RunningSandbox } from "./sandbox.ts"
import { layerTelling } from "./sandboxAccounts.ts"
import { socialSettings } from "./socialSettings.ts"
import { allowsPrivate, layerReachGauge } from "./webhookReach.ts"

/** The credentials of accounts, sealed with the host's secret keys. */
export const layerVault = ({ keys }: HostSecrets) => PgCredentialVault.layer(keys)

const layerConnectors = (config: HostConfig, sandbox: Option.Option<RunningSandbox>) =>
  SocialConnectors.layer(socialSettings(config, sandbox)).pipe(Layer.provide(FetchHttpClient.layer))

/** Who may have signed what comes to an endpoint: the networks, and the simulator beside them. */
const acceptedBy =
  ({ appSecrets }: HostConfig, sandbox: Option.Option<RunningSandbox>) =>
  (endpoint: "meta" | "threads" | "x") => [
    ...appSecrets[endpoint],
    ...Option.toArray(sandbox).map(({ secrets }) => secrets[endpoint])
  ]

/** Callbacks of all our apps at Meta are accepted; each of the simulated networks signs by its app's own secret. */
const layerSignedRequests = (config: HostConfig, sandbox: Option.Option<RunningSandbox>) => {
  const accepted = acceptedBy(config, sandbox)
  const simulated = Option.toArray(sandbox).flatMap(({ apps: { facebook, instagram, threads } }) =>
    [facebook.secret, instagram.secret, threads.secret].flatMap((secret) => (secret === undefined ? [] : [secret]))
  )
  return MetaSignedRequests.layer([
    ...accepted("meta"),
    ...config.appSecrets.instagram,
    ...accepted("threads"),
    ...simulated
  ])
}

const layerGate = (config: HostConfig, sandbox: Option.Option<RunningSandbox>) => {
  const { appSecrets, verifyTokens } = config
  const accepted = acceptedBy(config, sandbox)
  return SocialWebhookGate.layer({
    // Instagram Login has an app of its own, which signs what comes to the same address.
    meta: [...accepted("meta"), ...appSecrets.instagram],
    threads: accepted("threads"),
    x: accepted("x"),
    metaVerifyToken: Option.getOrUndefined(verifyTokens.meta),
    threadsVerifyToken: Option.getOrUndefined(verifyTokens.threads)
  })
}

/** Who signs dashboard tokens: the identity provider, else ourselves where nothing is configured, else nobody. */
const layerIdentity = ({ dashboard }: HostConfig, { dashboardKey }: HostSecrets): Layer.Layer<never> => {
  if (Option.isSome(dashboard)) return dashboardTokens.layerJwks(dashboard.value)
  return Option.match(dashboardKey, { onNone: () => Layer.empty, onSome: dashboardTokens.layerLocal })
}

const layerFeedMemory = ({ feedMemory_mb }: HostConfig) =>
  Layer.succeed(FeedMemory, { ...defaultFeedMemory, maxBytes: feedMemory_mb * 1_024 * 1_024 })

const layerSender = (config: HostConfig) =>
  Layer.merge(NodeWebhookSender.layer({ allowsPrivate: allowsPrivate(config) }), layerReachGauge(config))

/** What answers requests of the inbox, takes webhooks, and administers accounts. */
export const layerInboxServices = (config: HostConfig, secrets: HostSecrets, sandbox: Option.Option<RunningSandbox>) =>
  Layer.mergeAll(
    InboxAccess.layer,
    Option.match(sandbox, { onNone: () => AccountAdministration.layer, onSome: layerTelling }),
    ConnectedAccounts.layer,
    Inbox.layer,
    EventFeed.layer.pipe(Layer.provide(layerFeedMemory(config))),
    Ingest.layer,
    MediaContexts.layer,
    Replies.layer,
    Moderations.layer.pipe(Layer.provide(Inbox.layer)),
    SavedReplies.layer,
    Threads.layer,
    WebhookEndpoints.layer,
    EndpointDeliveries.layer,
    Webhooks.layer,
    ConnectSessions.layer,
    MetaCallbacks.layer.pipe(Layer.provide(layerSignedRequests(config, sandbox))),
    Sync.layer({ confirmAbove: config.confirmBackfillAbove }),
    layerGate(config, sandbox)
  ).pipe(
    Layer.provideMerge(AccountTokens.layer),
    Layer.provideMerge(layerConnectors(config, sandbox)),
    Layer.provideMerge(layerVault(secrets)),
    Layer.provideMerge(layerSender(config)),
    Layer.provide(layerIdentity(config, secrets))
  )

/** What ingests webhooks, polls and checks accounts, sends replies, names authors, ends snoozes, and removes what need not be kept. */
export const layerInboxWorkers = (config: HostConfig) =>
  Layer.mergeAll(
    WebhookWorker.layer({ lease: config.lease }),
    SyncWorker.layer({ every: config.pollEvery, quietFactor: config.pollQuietFactor }),
    AccountChecks.layer(),
    ReplyWorker.layer({ lease: config.lease }),
    ProfileWorker.layer(),
    ThreadKeeper.layer(),
    DeliveryWorker.layer({ lease: config.lease }),
    InboxSweeper.layer({ every: config.sweepEvery })
  )
