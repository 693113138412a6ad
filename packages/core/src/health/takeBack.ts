import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { AccountCredentials } from "../accounts/AccountCredentials.ts"
import { AccountTokens } from "../accounts/AccountTokens.ts"
import { CredentialVault } from "../accounts/CredentialVault.ts"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { Connectors, connectorTo } from "../networks/Connectors.ts"
import { AccountHealthStore } from "./AccountHealthStore.ts"
import { connectOf } from "./checkAccount.ts"

/** How long each call may take; the account is disconnected here in any case. */
const patience = Duration.seconds(5)

/**
 * Takes an account's subscription and its token back at its network, as far as that works: whoever disconnects an account
 * does not depend on the network. Never fails.
 *
 * Nothing is taken back while the same network account is connected elsewhere, in another workspace: it would lose its
 * webhooks. A subscription that several accounts share (a Page, and the Instagram account that is reached through it)
 * ends with the last of them. And where a revocation ends all tokens of a person, the token stays valid while that person
 * has connected another account.
 */
export const makeTakeBack = Effect.gen(function* () {
  const store = yield* AccountHealthStore
  const accounts = yield* SocialAccounts
  const credentials = yield* AccountCredentials
  const tokens = yield* AccountTokens
  const vault = yield* CredentialVault
  const connectors = yield* Connectors

  const isElsewhere = ({ id, network, networkAccountId }: SocialAccount) =>
    Effect.map(accounts.findRoutes([{ network, by: "id", value: networkAccountId }]), (routes) =>
      routes.some(({ accountId }) => accountId !== id)
    )

  const refreshTokenOf = Effect.fnUntraced(function* ({ id, workspaceId }: SocialAccount) {
    const sealed = yield* credentials.findSealed(workspaceId, id)
    if (Option.isNone(sealed)) return Option.none()
    return (yield* vault.open({ workspaceId, accountId: id }, sealed.value)).refreshToken
  })

  const tried = <E>(what: "unsubscribe" | "revoke", call: Effect.Effect<void, E>) =>
    call.pipe(
      Effect.timeout(patience),
      Effect.catchCause((cause) =>
        Effect.logWarning("a network did not take back what an account had", { what }, cause)
      )
    )

  const attempt = Effect.fnUntraced(function* (account: SocialAccount) {
    const part = connectOf(connectorTo(connectors, account.network), account)
    if (part === undefined || account.status !== "connected" || (yield* isElsewhere(account))) return
    const opened = yield* tokens.open(account.workspaceId, account.id)
    if (Option.isSome(part.subscription) && !(yield* store.isSubscriptionShared(account))) {
      yield* tried("unsubscribe", opened.use(part.subscription.value.unsubscribe))
    }
    if (part.revokesPerson && (yield* store.isPersonElsewhere(account))) return
    const refreshToken = yield* refreshTokenOf(account)
    yield* tried(
      "revoke",
      opened.use((access) => part.revoke(access, refreshToken))
    )
  })

  return (account: SocialAccount): Effect.Effect<void> =>
    attempt(account).pipe(
      Effect.catchCause((cause) => Effect.logWarning("an account is disconnected here only", cause)),
      Effect.annotateLogs({ account_id: account.id, network: account.network })
    )
})
