import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import { Layer } from "effect"
import * as MemoryAdapters from "../src/MemoryAdapters.ts"
import * as MemoryCredentialVault from "../src/MemoryCredentialVault.ts"
import { accountCredentialsContract } from "@loopbox/testing/conformance/AccountCredentialsContract"
import { accountHealthStoreContract } from "@loopbox/testing/conformance/AccountHealthStoreContract"
import { admissionContract } from "@loopbox/testing/conformance/AdmissionContract"
import { auditStoreContract } from "@loopbox/testing/conformance/AuditStoreContract"
import { authorProfilesContract } from "@loopbox/testing/conformance/AuthorProfilesContract"
import { connectSessionStoreContract } from "@loopbox/testing/conformance/ConnectSessionStoreContract"
import { credentialVaultContract } from "@loopbox/testing/conformance/CredentialVaultContract"
import { consoleSessionStoreContract } from "@loopbox/testing/conformance/ConsoleSessionStoreContract"
import { deletionRequestsContract } from "@loopbox/testing/conformance/DeletionRequestsContract"
import { erasuresContract } from "@loopbox/testing/conformance/ErasuresContract"
import { exportStoreContract } from "@loopbox/testing/conformance/ExportStoreContract"
import { inboxEventsContract } from "@loopbox/testing/conformance/InboxEventsContract"
import { inboxStoreContract } from "@loopbox/testing/conformance/InboxStoreContract"
import { ingestStoreContract } from "@loopbox/testing/conformance/IngestStoreContract"
import { unreadCountersContract } from "@loopbox/testing/conformance/UnreadCountersContract"
import { managedUsersContract } from "@loopbox/testing/conformance/ManagedUsersContract"
import { mediaContextStoreContract } from "@loopbox/testing/conformance/MediaContextStoreContract"
import { actionPacesContract } from "@loopbox/testing/conformance/ActionPacesContract"
import { outboundStoreContract } from "@loopbox/testing/conformance/OutboundStoreContract"
import { postStoreContract } from "@loopbox/testing/conformance/PostStoreContract"
import { outgoingEndpointStoreContract } from "@loopbox/testing/conformance/OutgoingEndpointStoreContract"
import { outgoingEndpointLanesContract } from "@loopbox/testing/conformance/OutgoingEndpointLanesContract"
import { outgoingLanesContract } from "@loopbox/testing/conformance/OutgoingLanesContract"
import { outgoingTogetherContract } from "@loopbox/testing/conformance/OutgoingTogetherContract"
import { pollStoreContract } from "@loopbox/testing/conformance/PollStoreContract"
import { savedReplyStoreContract } from "@loopbox/testing/conformance/SavedReplyStoreContract"
import { socialAccountsContract } from "@loopbox/testing/conformance/SocialAccountsContract"
import { syncStoreContract } from "@loopbox/testing/conformance/SyncStoreContract"
import { usageStoreContract } from "@loopbox/testing/conformance/UsageStoreContract"
import { threadStoreContract } from "@loopbox/testing/conformance/ThreadStoreContract"
import { webhookDeliveriesContract } from "@loopbox/testing/conformance/WebhookDeliveriesContract"

const layerStores = MemoryAdapters.layerStores.pipe(Layer.provideMerge(layerNetworks))

socialAccountsContract("memory", layerStores)
admissionContract("memory", layerStores)
accountHealthStoreContract("memory", layerStores)
connectSessionStoreContract("memory", layerStores)
consoleSessionStoreContract("memory", layerStores)
deletionRequestsContract("memory", layerStores)
erasuresContract("memory", layerStores)
accountCredentialsContract("memory", layerStores)
managedUsersContract("memory", layerStores)
credentialVaultContract("memory", MemoryCredentialVault.layer)
inboxStoreContract("memory", layerStores)
ingestStoreContract("memory", layerStores)
threadStoreContract("memory", layerStores)
unreadCountersContract("memory", layerStores)
inboxEventsContract("memory", layerStores)
authorProfilesContract("memory", layerStores)
pollStoreContract("memory", layerStores)
syncStoreContract("memory", layerStores)
webhookDeliveriesContract("memory", layerStores)
outboundStoreContract("memory", layerStores)
actionPacesContract("memory", layerStores)
mediaContextStoreContract("memory", layerStores)
postStoreContract("memory", layerStores)
usageStoreContract("memory", layerStores)
savedReplyStoreContract("memory", layerStores)
auditStoreContract("memory", layerStores)
exportStoreContract("memory", layerStores)
outgoingEndpointStoreContract("memory", layerStores)
outgoingLanesContract("memory", layerStores)
outgoingEndpointLanesContract("memory", layerStores)
outgoingTogetherContract("memory", layerStores)
