import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { AccountAdministration, type NewAccount } from "@loopbox/core/access/AccountAdministration"
import { InboxAccess } from "@loopbox/core/access/InboxAccess"
import { AccountTokens } from "@loopbox/core/accounts/AccountTokens"
import { ConnectSessions } from "@loopbox/core/connecting/ConnectSessions"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { EventFeed } from "@loopbox/core/feed/EventFeed"
import { Inbox } from "@loopbox/core/inbox/Inbox"
import { Ingest } from "@loopbox/core/inbox/Ingest"
import { SavedReplies } from "@loopbox/core/savedReplies/SavedReplies"
import { Threads } from "@loopbox/core/threads/Threads"
import { EndpointDeliveries } from "@loopbox/core/outgoing/EndpointDeliveries"
import { WebhookEndpoints } from "@loopbox/core/outgoing/WebhookEndpoints"
import { Sync } from "@loopbox/core/sync/Sync"
import { MediaContexts } from "@loopbox/core/inbox/MediaContexts"
import { Webhooks } from "@loopbox/core/webhooks/Webhooks"
import * as MemoryCredentialVault from "@loopbox/adapters-memory/MemoryCredentialVault"
import { Posts } from "@loopbox/core/posts/Posts"
import { Moderations } from "@loopbox/core/moderation/Moderations"
import { Replies } from "@loopbox/core/replies/Replies"
import * as FakeMediaLinks from "../fakes/FakeMediaLinks.ts"
import * as FakeWebhookSender from "../fakes/FakeWebhookSender.ts"
import * as FakeConnector from "../fakes/FakeConnector.ts"
import { layerServices, memory } from "./testLayers.ts"

/** The ports of the inbox over these of media: memory adapters and scripted networks. */
export const inboxPortsOver = (media: typeof memory) =>
  Layer.mergeAll(media, MemoryCredentialVault.layer, FakeConnector.layer, FakeMediaLinks.layer, FakeWebhookSender.layer)

/** The ports of the inbox: memory adapters and scripted networks. */
export const layerInboxPorts = inboxPortsOver(memory)

/** Connects without an event, so that the numbers of a workspace's events begin with those that a test is about. */
export const silently = Layer.updateService(SocialAccounts, (store) =>
  SocialAccounts.of({
    ...store,
    connect: (account, seal, since) => store.connect(account, seal, since, { isAnnounced: false })
  })
)

/** Every driving service of the inbox. */
export const layerInboxServices = Layer.mergeAll(
  InboxAccess.layer,
  silently(AccountAdministration.layer),
  Inbox.layer,
  MediaContexts.layer,
  EventFeed.layer,
  Replies.layer,
  Posts.layer,
  Moderations.layer.pipe(Layer.provide(Inbox.layer)),
  SavedReplies.layer,
  Threads.layer,
  WebhookEndpoints.layer,
  EndpointDeliveries.layer,
  Ingest.layer,
  Webhooks.layer,
  ConnectSessions.layer,
  Sync.layer()
).pipe(Layer.provideMerge(AccountTokens.layer), Layer.provideMerge(layerServices))

/** The inbox with memory adapters and scripted networks, without workers. */
export const layerInbox = layerInboxServices.pipe(Layer.provideMerge(layerInboxPorts))

/** An administrator's request to connect an account. */
export const accountRequest = (change: Partial<NewAccount> = {}): NewAccount => ({
  network: "instagram",
  networkAccountId: "page",
  name: "The Page",
  username: Option.none(),
  avatarUrl: Option.none(),
  externalUserId: Option.none(),
  credentials: {
    accessToken: Redacted.make("token"),
    refreshToken: Option.none(),
    expiresAt: Option.none()
  },
  permissions: [],
  ...change
})

export const connectAccount = Effect.fnUntraced(function* (workspaceId: string, change: Partial<NewAccount> = {}) {
  const { account } = yield* (yield* AccountAdministration).connect(workspaceId, accountRequest(change))
  return account
})

/** The inbox of a workspace or of one of its users, entered like an embedding service. */
export const enter = (workspaceId: string, user?: string) =>
  InboxAccess.use((access) => access.enterEmbedded(workspaceId, Option.fromUndefinedOr(user)))
