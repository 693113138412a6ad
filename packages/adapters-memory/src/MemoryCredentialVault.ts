import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CredentialsUnreadable } from "@loopbox/core/accounts/AccountErrors"
import { type CredentialOwner, type Credentials, CredentialVault } from "@loopbox/core/accounts/CredentialVault"

const ownerText = ({ accountId, workspaceId }: CredentialOwner) => `${workspaceId}/${accountId}`

/** Keeps the credentials in this process and returns references, so that stores get nothing secret. */
export const layer: Layer.Layer<CredentialVault> = Layer.sync(CredentialVault, () => {
  const sealed = new Map<string, Credentials>()
  let receipts = 0
  return CredentialVault.of({
    seal: (owner, credentials) =>
      Effect.sync(() => {
        const receipt = `memory:${ownerText(owner)}:${++receipts}`
        sealed.set(receipt, credentials)
        return receipt
      }),
    open: (owner, receipt) =>
      Effect.suspend(() => {
        const credentials = sealed.get(receipt)
        if (credentials === undefined) {
          return Effect.fail(new CredentialsUnreadable({ accountId: owner.accountId, reason: "key_missing" }))
        }
        return receipt.startsWith(`memory:${ownerText(owner)}:`)
          ? Effect.succeed(credentials)
          : Effect.fail(new CredentialsUnreadable({ accountId: owner.accountId, reason: "altered" }))
      })
  })
})
