import type { SandboxAccount } from "@loopbox/adapters-social"
import { isNetwork } from "@loopbox/adapters-social/names"
import { AccountAdministration, type AccountPatch, type TokenCheck } from "@loopbox/core/access/AccountAdministration"
import { Administration } from "@loopbox/core/access/Administration"
import { AccountCredentials } from "@loopbox/core/accounts/AccountCredentials"
import { CredentialVault } from "@loopbox/core/accounts/CredentialVault"
import type { Credentials } from "@loopbox/core/accounts/CredentialVault"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import type { Page, PageKey, PageRequest } from "@loopbox/core/kernel/Page"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { demoAccounts } from "./demo.ts"
import type { RunningSandbox } from "./sandbox.ts"

/** The simulator is for trying out; beyond this it knows the newest. */
const mostPages = 10

const toSandboxAccount = (
  network: SandboxAccount["network"],
  account: SocialAccount,
  { accessToken, expiresAt, refreshToken }: Credentials
): SandboxAccount => ({
  network,
  accountId: account.networkAccountId,
  name: account.name,
  username: Option.getOrElse(account.username, () => account.name.toLowerCase().replace(/[^a-z0-9]+/g, "_")),
  accessToken,
  throughAccountId: Option.getOrUndefined(account.throughAccountId),
  // What people granted at a dialog; nothing is known of tokens that were only told of.
  scopes: Option.isSome(account.login) ? account.permissions : undefined,
  // Threads has no call by which it could be subscribed again.
  isSubscribed: network === "threads" && Option.isSome(account.login) ? true : undefined,
  refreshToken: Option.getOrUndefined(refreshToken),
  expiresAt: Option.getOrUndefined(expiresAt),
  // What was connected before this start has a token that may be old enough to be renewed.
  issuedAt: account.createdAt
})

/** Tells the simulator of an account; one of a network that it does not simulate is none of its business. */
const tell = (people: RunningSandbox["people"], account: SocialAccount, credentials: Credentials) =>
  isNetwork(account.network) ? people.connect(toSandboxAccount(account.network, account, credentials)) : Effect.void

const allOf = Effect.fnUntraced(function* <A, E>(list: (page: PageRequest) => Effect.Effect<Page<A>, E>) {
  const all: Array<A> = []
  let after: Option.Option<PageKey> = Option.none()
  for (let page = 0; page < mostPages; page++) {
    const { items, next }: Page<A> = yield* list({ limit: 100, after })
    all.push(...items)
    if (Option.isNone(next)) break
    after = next
  }
  return all
})

/**
 * Tells the simulator, whose memory is new, which accounts were connected before. The oldest first, as they came: people
 * write to the first one of a network unless told otherwise, and that is Demo's.
 */
export const rememberAccounts = Effect.fnUntraced(function* ({ people }: RunningSandbox) {
  const administration = yield* Administration
  const accounts = yield* SocialAccounts
  const store = yield* AccountCredentials
  const vault = yield* CredentialVault
  for (const { id: workspaceId } of (yield* allOf(administration.listWorkspaces)).toReversed()) {
    for (const account of (yield* allOf((page) => accounts.list(workspaceId, page))).toReversed()) {
      const sealed = yield* store.findSealed(workspaceId, account.id)
      if (Option.isNone(sealed) || account.status === "disconnected") continue
      const credentials = yield* Effect.option(vault.open({ workspaceId, accountId: account.id }, sealed.value))
      if (Option.isNone(credentials)) continue
      yield* tell(people, account, credentials.value)
    }
  }
})

/** Looked after all the same, unless the administrator wants it left alone. */
const notTried = ({ check }: Pick<AccountPatch, "check">): TokenCheck => (check === false ? false : "later")

/**
 * The same administration; what it connects exists on the simulated network too. A token is not tried: the simulator
 * learns of it only afterwards.
 */
export const layerTelling = ({ people }: RunningSandbox) =>
  Layer.effect(
    AccountAdministration,
    Effect.map(AccountAdministration, (administration) =>
      AccountAdministration.of({
        ...administration,
        connect: (workspaceId, request) =>
          Effect.tap(administration.connect(workspaceId, { ...request, check: notTried(request) }), ({ account }) =>
            tell(people, account, request.credentials)
          ),
        updateAccount: (workspaceId, id, patch) =>
          Effect.tap(administration.updateAccount(workspaceId, id, { ...patch, check: notTried(patch) }), (account) =>
            patch.credentials === undefined ? Effect.void : tell(people, account, patch.credentials)
          )
      })
    )
  ).pipe(Layer.provide(AccountAdministration.layer))

/** Demo's accounts tell by webhook from the beginning, in every start: the simulator forgets who was subscribed. */
export const subscribeDemo = ({ people }: RunningSandbox) =>
  Effect.forEach(demoAccounts, ({ network, networkAccountId }) =>
    // One that was disconnected is not there.
    Effect.ignore(people.subscribe({ network, accountId: networkAccountId, isSubscribed: true }))
  )
