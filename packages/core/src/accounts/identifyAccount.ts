import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Connectors, connectorTo } from "../networks/Connectors.ts"
import type { AccountAccess } from "../networks/AccountAccess.ts"
import type { AccountCredentials, UsableAccount } from "./AccountCredentials.ts"
import { SocialAccount } from "./SocialAccount.ts"

interface Ports {
  readonly store: AccountCredentials["Service"]
  readonly connectors: Connectors["Service"]
}

/** How long a call in the account's name waits for it. */
const patience = Duration.seconds(5)

/**
 * The account with every id by which its network names it. Unknown ids are looked up and stored; if that fails, the
 * account is returned unchanged.
 */
export const identifyAccount = Effect.fnUntraced(function* (
  { connectors, store }: Ports,
  { account, sealed }: Pick<UsableAccount, "account" | "sealed">,
  access: AccountAccess
) {
  const connector = connectorTo(connectors, account.network)
  if (connector.identify === undefined || Option.isSome(account.otherAccountId)) return account
  const answer = yield* Effect.option(Effect.timeout(connector.identify(access), patience))
  if (Option.isNone(answer)) return account
  const { ids, username } = answer.value
  const { id: accountId, networkAccountId, workspaceId } = account
  if (!ids.includes(networkAccountId)) {
    yield* Effect.logWarning("the token of an account is of another one", { account_id: accountId })
    return account
  }
  const otherAccountId = ids.find((id) => id !== networkAccountId) ?? networkAccountId
  yield* store
    .noteNames({ workspaceId, accountId, sealed }, { otherAccountId, username })
    .pipe(
      Effect.catchTag("StoreUnavailable", (error) =>
        Effect.logWarning("how a network names an account was not stored yet", { account_id: accountId }, error)
      )
    )
  return new SocialAccount({
    ...account,
    otherAccountId: Option.some(otherAccountId),
    username: Option.orElse(account.username, () => username)
  })
})
