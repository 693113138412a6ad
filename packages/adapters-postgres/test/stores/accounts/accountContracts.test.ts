import { PgCredentialVault } from "@loopbox/adapters-postgres"
import { accountCredentialsContract } from "@loopbox/testing/conformance/AccountCredentialsContract"
import { accountHealthStoreContract } from "@loopbox/testing/conformance/AccountHealthStoreContract"
import { admissionContract } from "@loopbox/testing/conformance/AdmissionContract"
import { credentialVaultContract } from "@loopbox/testing/conformance/CredentialVaultContract"
import { erasuresContract } from "@loopbox/testing/conformance/ErasuresContract"
import { socialAccountsContract } from "@loopbox/testing/conformance/SocialAccountsContract"
import { Layer, Redacted } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { layerStores } from "../../testDatabase.ts"

const stores = layerStores()

const vault = PgCredentialVault.layer(Redacted.make([{ id: "first", bytes: new Uint8Array(32).fill(7) }]))

socialAccountsContract("postgres", stores)
admissionContract("postgres", stores)
accountHealthStoreContract("postgres", stores)
erasuresContract("postgres", stores)
accountCredentialsContract("postgres", stores)
credentialVaultContract("postgres", Layer.provide(vault, SecureRandom.layerWebCrypto))
