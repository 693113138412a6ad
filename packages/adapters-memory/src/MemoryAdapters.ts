import * as Layer from "effect/Layer"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as MemoryAccessChanges from "./MemoryAccessChanges.ts"
import * as MemoryAccountCredentials from "./MemoryAccountCredentials.ts"
import * as MemoryAccountHealthStore from "./MemoryAccountHealthStore.ts"
import * as MemoryActionPaces from "./MemoryActionPaces.ts"
import * as MemoryApiKeys from "./MemoryApiKeys.ts"
import * as MemoryAuditStore from "./MemoryAuditStore.ts"
import * as MemoryAuthorProfiles from "./MemoryAuthorProfiles.ts"
import * as MemoryBlobStore from "./MemoryBlobStore.ts"
import * as MemoryConnectSessionStore from "./MemoryConnectSessionStore.ts"
import * as MemoryJobSignals from "./MemoryJobSignals.ts"
import * as MemoryJobStore from "./MemoryJobStore.ts"
import * as MemoryCredentialVault from "./MemoryCredentialVault.ts"
import * as MemoryConsoleSessionStore from "./MemoryConsoleSessionStore.ts"
import * as MemoryDeletionRequests from "./MemoryDeletionRequests.ts"
import * as MemoryExportStore from "./MemoryExportStore.ts"
import * as MemoryErasures from "./MemoryErasures.ts"
import * as MemoryInboxEvents from "./MemoryInboxEvents.ts"
import * as MemoryInboxStore from "./MemoryInboxStore.ts"
import * as MemoryIngestStore from "./MemoryIngestStore.ts"
import * as MemoryManagedUsers from "./MemoryManagedUsers.ts"
import * as MemoryMediaContextStore from "./MemoryMediaContextStore.ts"
import * as MemoryMediaStore from "./MemoryMediaStore.ts"
import * as MemoryMembers from "./MemoryMembers.ts"
import * as MemoryOutboundStore from "./MemoryOutboundStore.ts"
import * as MemoryOutgoingEndpointStore from "./MemoryOutgoingEndpointStore.ts"
import * as MemoryOutgoingQueue from "./MemoryOutgoingQueue.ts"
import * as MemoryPostStore from "./MemoryPostStore.ts"
import * as MemoryRetentionStore from "./MemoryRetentionStore.ts"
import * as MemorySavedReplyStore from "./MemorySavedReplyStore.ts"
import * as MemorySearchWords from "./MemorySearchWords.ts"
import * as MemorySocialAccounts from "./MemorySocialAccounts.ts"
import { MemoryState } from "./MemoryState.ts"
import * as MemoryPollStore from "./MemoryPollStore.ts"
import * as MemorySyncStore from "./MemorySyncStore.ts"
import * as MemoryThreadStore from "./MemoryThreadStore.ts"
import * as MemoryUnreadCounters from "./MemoryUnreadCounters.ts"
import * as MemoryUsageStore from "./MemoryUsageStore.ts"
import * as MemoryWebhookDeliveries from "./MemoryWebhookDeliveries.ts"
import * as MemoryWorkspaces from "./MemoryWorkspaces.ts"

/** Random numbers and hashes of the platform's Web Crypto; every driving service needs them. */
export const layerCrypto = Layer.mergeAll(SecureRandom.layerWebCrypto, Digest.layerWebCrypto)

/** Every store port except the blobs, in the memory of this process. */
export const layerStores = Layer.mergeAll(
  MemoryWorkspaces.layer,
  MemoryMembers.layer,
  MemoryApiKeys.layer,
  MemoryAccessChanges.layer,
  MemoryMediaStore.layer,
  MemoryJobStore.layer,
  MemoryRetentionStore.layer,
  MemoryJobSignals.layer,
  MemoryManagedUsers.layer,
  MemorySocialAccounts.layer,
  MemoryAccountHealthStore.layer,
  MemoryErasures.layer,
  MemoryAccountCredentials.layer,
  MemoryInboxStore.layer,
  MemoryIngestStore.layer,
  MemoryThreadStore.layer,
  MemoryUnreadCounters.layer,
  MemoryInboxEvents.layer,
  MemoryAuthorProfiles.layer,
  MemoryPollStore.layer,
  MemorySyncStore.layer,
  MemoryWebhookDeliveries.layer,
  MemoryOutboundStore.layer,
  MemoryPostStore.layer,
  MemoryActionPaces.layer,
  MemoryMediaContextStore.layer,
  MemoryConnectSessionStore.layer,
  MemoryConsoleSessionStore.layer,
  MemoryDeletionRequests.layer,
  MemoryUsageStore.layer,
  MemorySavedReplyStore.layer,
  MemoryAuditStore.layer,
  MemorySearchWords.layer,
  MemoryExportStore.layer,
  MemoryOutgoingEndpointStore.layer,
  MemoryOutgoingQueue.layer
).pipe(Layer.provide(MemoryState.layer))

/** Every port in the memory of this process: for tests, and for services that may lose their data. */
export const layer = Layer.mergeAll(layerStores, MemoryBlobStore.layer, MemoryCredentialVault.layer).pipe(
  Layer.provideMerge(layerCrypto)
)
