import { PgCredentialVault } from "@loopbox/adapters-postgres"
import { accountCredentialsContract } from "@loopbox/core/testing/AccountCredentialsContract"
import { authorProfilesContract } from "@loopbox/core/testing/AuthorProfilesContract"
import { credentialVaultContract } from "@loopbox/core/testing/CredentialVaultContract"
import { inboxEventsContract } from "@loopbox/core/testing/InboxEventsContract"
import { inboxStoreContract } from "@loopbox/core/testing/InboxStoreContract"
import { managedUsersContract } from "@loopbox/core/testing/ManagedUsersContract"
import { mediaContextStoreContract } from "@loopbox/core/testing/MediaContextStoreContract"
import { outboundStoreContract } from "@loopbox/core/testing/OutboundStoreContract"
import { socialAccountsContract } from "@loopbox/core/testing/SocialAccountsContract"
import { syncStoreContract } from "@loopbox/core/testing/SyncStoreContract"
import { webhookDeliveriesContract } from "@loopbox/core/testing/WebhookDeliveriesContract"
import { Layer, Redacted } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { LargestWithCopies } from "../src/internal/threads.ts"
import { layerStores } from "./testDatabase.ts"

const stores = layerStores()

const vault = PgCredentialVault.layer(Redacted.make([{ id: "first", bytes: new Uint8Array(32).fill(7) }]))

managedUsersContract("postgres", stores)
socialAccountsContract("postgres", stores)
accountCredentialsContract("postgres", stores)
credentialVaultContract("postgres", Layer.provide(vault, SecureRandom.layerWebCrypto))
inboxStoreContract("postgres", stores)
inboxStoreContract(
  "postgres, threads large from their second item",
  Layer.provide(stores, Layer.succeed(LargestWithCopies, 1))
)
inboxEventsContract("postgres", stores)
authorProfilesContract("postgres", stores)
syncStoreContract("postgres", stores)
webhookDeliveriesContract("postgres", stores)
outboundStoreContract("postgres", stores)
mediaContextStoreContract("postgres", stores)
