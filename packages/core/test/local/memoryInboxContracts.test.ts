import { layerStores } from "../../src/local/MemoryAdapters.ts"
import * as MemoryCredentialVault from "../../src/local/MemoryCredentialVault.ts"
import { accountCredentialsContract } from "../../src/testing/AccountCredentialsContract.ts"
import { authorProfilesContract } from "../../src/testing/AuthorProfilesContract.ts"
import { credentialVaultContract } from "../../src/testing/CredentialVaultContract.ts"
import { inboxEventsContract } from "../../src/testing/InboxEventsContract.ts"
import { inboxStoreContract } from "../../src/testing/InboxStoreContract.ts"
import { managedUsersContract } from "../../src/testing/ManagedUsersContract.ts"
import { mediaContextStoreContract } from "../../src/testing/MediaContextStoreContract.ts"
import { outboundStoreContract } from "../../src/testing/OutboundStoreContract.ts"
import { socialAccountsContract } from "../../src/testing/SocialAccountsContract.ts"
import { syncStoreContract } from "../../src/testing/SyncStoreContract.ts"
import { webhookDeliveriesContract } from "../../src/testing/WebhookDeliveriesContract.ts"

socialAccountsContract("memory", layerStores)
accountCredentialsContract("memory", layerStores)
managedUsersContract("memory", layerStores)
credentialVaultContract("memory", MemoryCredentialVault.layer)
inboxStoreContract("memory", layerStores)
inboxEventsContract("memory", layerStores)
authorProfilesContract("memory", layerStores)
syncStoreContract("memory", layerStores)
webhookDeliveriesContract("memory", layerStores)
outboundStoreContract("memory", layerStores)
mediaContextStoreContract("memory", layerStores)
