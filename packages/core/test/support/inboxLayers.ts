import { Effect, Layer, Option, Redacted } from "effect"
import { AccountAdministration, type NewAccount } from "../../src/access/AccountAdministration.ts"
import { InboxAccess } from "../../src/access/InboxAccess.ts"
import { AccountTokens } from "../../src/inbox/AccountTokens.ts"
import { EventFeed } from "../../src/inbox/EventFeed.ts"
import { Inbox } from "../../src/inbox/Inbox.ts"
import { Ingest } from "../../src/inbox/Ingest.ts"
import { Sync } from "../../src/inbox/Sync.ts"
import { MediaContexts } from "../../src/inbox/MediaContexts.ts"
import { Webhooks } from "../../src/inbox/Webhooks.ts"
import * as MemoryCredentialVault from "../../src/local/MemoryCredentialVault.ts"
import { Replies } from "../../src/outbound/Replies.ts"
import * as FakeConnector from "../../src/testing/FakeConnector.ts"
import { layerServices, memory } from "./testLayers.ts"

/** Memory adapters and scripted networks: what the inbox stands on. */
export const layerInboxPorts = Layer.mergeAll(memory, MemoryCredentialVault.layer, FakeConnector.layer)

/** Every driving service of the inbox, over the ports that are given. */
export const layerInboxServices = Layer.mergeAll(
  InboxAccess.layer,
  AccountAdministration.layer,
  Inbox.layer,
  MediaContexts.layer,
  EventFeed.layer,
  Replies.layer,
  Ingest.layer,
  Webhooks.layer,
  Sync.layer()
).pipe(Layer.provideMerge(AccountTokens.layer), Layer.provideMerge(layerServices))

/** The whole inbox over memory adapters and scripted networks; no worker. */
export const layerInbox = layerInboxServices.pipe(Layer.provideMerge(layerInboxPorts))

/** An account as an administrator names it. */
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

/** The inbox of a workspace or of one of its users, as who embeds the service enters it. */
export const enter = (workspaceId: string, user?: string) =>
  InboxAccess.use((access) => access.enterEmbedded(workspaceId, Option.fromUndefinedOr(user)))
