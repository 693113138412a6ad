import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { CredentialVault } from "../accounts/CredentialVault.ts"
import type { SocialAccounts } from "../accounts/SocialAccounts.ts"
import type { AccountAccess } from "../connectors/SocialConnector.ts"
import type { SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"

export interface AccessPorts {
  readonly accounts: SocialAccounts["Service"]
  readonly vault: CredentialVault["Service"]
}

/** In whose name the network is asked; absent when the account can't be used now. */
export const accountAccess = Effect.fnUntraced(function* (
  { accounts, vault }: AccessPorts,
  workspaceId: WorkspaceId,
  accountId: SocialAccountId
) {
  const account = yield* accounts.find(workspaceId, accountId)
  const sealed = yield* accounts.findSealed(workspaceId, accountId)
  if (Option.isNone(account) || Option.isNone(sealed) || account.value.status !== "connected") {
    return Option.none<AccountAccess>()
  }
  const { networkAccountId, username } = account.value
  return yield* vault.open({ workspaceId, accountId }, sealed.value).pipe(
    Effect.map(({ accessToken }) => Option.some<AccountAccess>({ networkAccountId, username, accessToken })),
    Effect.catchTag("CredentialsUnreadable", (error) =>
      Effect.as(Effect.logWarning("an account's credentials can't be read", error), Option.none<AccountAccess>())
    )
  )
})
