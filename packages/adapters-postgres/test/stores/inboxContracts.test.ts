import { PgCredentialVault } from "@loopbox/adapters-postgres"
import { accountCredentialsContract } from "@loopbox/testing/conformance/AccountCredentialsContract"
import { accountHealthStoreContract } from "@loopbox/testing/conformance/AccountHealthStoreContract"
import { admissionContract } from "@loopbox/testing/conformance/AdmissionContract"
import { authorProfilesContract } from "@loopbox/testing/conformance/AuthorProfilesContract"
import { connectSessionStoreContract } from "@loopbox/testing/conformance/ConnectSessionStoreContract"
import { credentialVaultContract } from "@loopbox/testing/conformance/CredentialVaultContract"
import { deletionRequestsContract } from "@loopbox/testing/conformance/DeletionRequestsContract"
import { erasuresContract } from "@loopbox/testing/conformance/ErasuresContract"
import { inboxEventsContract } from "@loopbox/testing/conformance/InboxEventsContract"
import { inboxStoreContract } from "@loopbox/testing/conformance/InboxStoreContract"
import { ingestStoreContract } from "@loopbox/testing/conformance/IngestStoreContract"
import { unreadCountersContract } from "@loopbox/testing/conformance/UnreadCountersContract"
import { managedUsersContract } from "@loopbox/testing/conformance/ManagedUsersContract"
import { mediaContextStoreContract } from "@loopbox/testing/conformance/MediaContextStoreContract"
import { outboundStoreContract } from "@loopbox/testing/conformance/OutboundStoreContract"
import { socialAccountsContract } from "@loopbox/testing/conformance/SocialAccountsContract"
import { syncStoreContract } from "@loopbox/testing/conformance/SyncStoreContract"
import { webhookDeliveriesContract } from "@loopbox/testing/conformance/WebhookDeliveriesContract"
import { Layer, Redacted } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { LargestWithCopies } from "../../src/stores/inbox/threads.ts"
import { layerStores } from "../testDatabase.ts"

const stores = layerStores()

const vault = PgCredentialVault.layer(Redacted.make([{ id: "first", bytes: new Uint8Array(32).fill(7) }]))

managedUsersContract("postgres", stores)
socialAccountsContract("postgres", stores)
admissionContract("postgres", stores)
accountHealthStoreContract("postgres", stores)
connectSessionStoreContract("postgres", stores)
deletionRequestsContract("postgres", stores)
erasuresContract("postgres", stores)
accountCredentialsContract("postgres", stores)
credentialVaultContract("postgres", Layer.provide(vault, SecureRandom.layerWebCrypto))
inboxStoreContract("postgres", stores)
ingestStoreContract("postgres", stores)
unreadCountersContract("postgres", stores)
const largeThreads = Layer.provide(stores, Layer.succeed(LargestWithCopies, 1))
inboxStoreContract("postgres, threads large from their second item", largeThreads)
ingestStoreContract("postgres, threads large from their second item", largeThreads)
inboxEventsContract("postgres", stores)
authorProfilesContract("postgres", stores)
syncStoreContract("postgres", stores)
webhookDeliveriesContract("postgres", stores)
outboundStoreContract("postgres", stores)
mediaContextStoreContract("postgres", stores)
