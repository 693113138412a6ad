import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import { ManagedUserNotFound, WorkspaceNotFound } from "../access/AccessErrors.ts"
import { revivableFor } from "../access/AccountAdministration.ts"
import type { InboxScope } from "../access/InboxScope.ts"
import { judgeExternalUserId } from "../access/ScopeClaim.ts"
import { AccountNotFound } from "../accounts/AccountErrors.ts"
import type { CredentialVault } from "../accounts/CredentialVault.ts"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import type { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { nextConnectSessionId, SocialAccountId } from "../kernel/Ids.ts"
import { type Connectors, connectorTo } from "../networks/Connectors.ts"
import { allFeatures, type Feature } from "../networks/Feature.ts"
import type { Network } from "../networks/Source.ts"
import type { BrowserSecrets } from "./browserSecrets.ts"
import { AccountOfOtherNetwork, NetworkNotConfigured, OwnerMismatch } from "./ConnectErrors.ts"
import { ConnectSession, sessionLife } from "./ConnectSession.ts"
import type { ConnectSessionStore } from "./ConnectSessionStore.ts"
import { judgeReturnUrl } from "./returnAddress.ts"

export interface NewConnectSession {
  readonly network: Network
  /** The owner; absent: the scope's, or the one of the account that is to be connected again. */
  readonly externalUserId: Option.Option<string>
  readonly returnUrl: Option.Option<string>
  /** None means all. */
  readonly features: ReadonlyArray<Feature>
  /** The account that is to be connected again. A malformed id counts as not found. */
  readonly socialAccountId: Option.Option<string>
}

interface Ports {
  readonly store: ConnectSessionStore["Service"]
  readonly accounts: SocialAccounts["Service"]
  readonly vault: CredentialVault["Service"]
  readonly connectors: Connectors["Service"]
  readonly random: SecureRandom["Service"]
  readonly secrets: BrowserSecrets
}

const isAccountId = Schema.is(SocialAccountId)

const same = (one: Option.Option<string>, other: Option.Option<string>) =>
  Option.getOrNull(one) === Option.getOrNull(other)

/** Checks what is asked for and stores a session with a link of its own. */
export const makeCreateSession = ({ accounts, connectors, random, secrets, store, vault }: Ports) => {
  /** The account that is to be connected again, if the scope owns it and it was not disconnected long ago. */
  const findAgain = Effect.fnUntraced(function* (scope: InboxScope, { network }: NewConnectSession, id: string) {
    const since = DateTime.subtract(yield* DateTime.now, revivableFor)
    const isOwned = ({ disconnectedAt, externalUserId }: SocialAccount) =>
      (scope._tag === "WorkspaceScope" || Option.contains(externalUserId, scope.externalUserId)) &&
      !Option.exists(disconnectedAt, (at) => DateTime.isLessThanOrEqualTo(at, since))
    const found = isAccountId(id) ? yield* accounts.findKept(scope.workspaceId, id) : Option.none<SocialAccount>()
    if (Option.isNone(found) || !isOwned(found.value)) {
      return yield* new AccountNotFound({ workspaceId: scope.workspaceId, accountId: id })
    }
    if (found.value.network !== network) {
      return yield* new AccountOfOtherNetwork({ accountId: found.value.id, network: found.value.network })
    }
    return found.value
  })

  /** Whose the account will be. */
  const judgeOwner = Effect.fnUntraced(function* (
    scope: InboxScope,
    { externalUserId: asked }: NewConnectSession,
    again: Option.Option<SocialAccount>
  ) {
    if (Option.isSome(asked)) yield* Effect.fromResult(judgeExternalUserId(asked.value))
    const given = Option.match(again, {
      onNone: () =>
        scope._tag === "ManagedUserScope" ? Option.some(Option.some(scope.externalUserId)) : Option.none(),
      onSome: ({ externalUserId }) => Option.some(externalUserId)
    })
    if (Option.isSome(given) && Option.isSome(asked) && !same(given.value, asked)) return yield* new OwnerMismatch()
    return Option.getOrElse(given, () => asked)
  })

  /** The login by which the account was connected, else the first one of the network. */
  const judgeLogin = Effect.fnUntraced(function* (network: Network, again: Option.Option<SocialAccount>) {
    const logins = connectorTo(connectors, network).connect ?? []
    const before = logins.find(({ login }) => Option.exists(again, (account) => Option.contains(account.login, login)))
    const chosen = before ?? logins[0]
    const settings = chosen?.missingSettings ?? []
    if (chosen === undefined || settings.length > 0) return yield* new NetworkNotConfigured({ network, settings })
    return chosen.login
  })

  /** What was erased since the scope and the account were found. */
  const erasedOf = (scope: InboxScope, again: Option.Option<SocialAccount>) => {
    const { workspaceId } = scope
    if (scope._tag === "ManagedUserScope") return new ManagedUserNotFound({ externalUserId: scope.externalUserId })
    return Option.isSome(again)
      ? new AccountNotFound({ workspaceId, accountId: again.value.id })
      : new WorkspaceNotFound({ workspaceId })
  }

  return Effect.fnUntraced(function* (scope: InboxScope, request: NewConnectSession) {
    const { network, returnUrl, socialAccountId } = request
    const { workspaceId } = scope
    if (Option.isSome(returnUrl)) yield* Effect.fromResult(judgeReturnUrl(returnUrl.value))
    const again = yield* Effect.transposeOption(Option.map(socialAccountId, (id) => findAgain(scope, request, id)))
    const externalUserId = yield* judgeOwner(scope, request, again)
    const login = yield* judgeLogin(network, again)
    // What it could do before it can do afterwards: a network's new token may have only what this dialog asks for.
    const before = Option.match(again, { onNone: () => [], onSome: ({ features }) => features })
    const wanted = request.features.length === 0 ? allFeatures : [...request.features, ...before]
    const createdAt = yield* DateTime.now
    const session = new ConnectSession({
      id: yield* nextConnectSessionId(random),
      workspaceId,
      network,
      login,
      externalUserId,
      status: "pending",
      returnUrl,
      features: allFeatures.filter((feature) => wanted.includes(feature)),
      socialAccountId: Option.map(again, ({ id }) => id),
      accountIds: [],
      failure: Option.none(),
      createdAt,
      expiresAt: DateTime.add(createdAt, sessionLife),
      completedAt: Option.none()
    })
    const linkToken = yield* secrets.fresh
    const sealedLink = yield* vault.seal(
      { workspaceId, accountId: session.id },
      { accessToken: linkToken, refreshToken: Option.none(), expiresAt: Option.none() }
    )
    const isOwnerKnown = scope._tag === "ManagedUserScope" || Option.isSome(again)
    const linkDigest = yield* secrets.digestOf(linkToken)
    const isStored = yield* store.put({ session, linkDigest, sealedLink }, isOwnerKnown)
    if (!isStored) return yield* erasedOf(scope, again)
    return { session, linkToken }
  })
}
