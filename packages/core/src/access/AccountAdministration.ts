import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { SecureRandom } from "effect/crypto/SecureRandom"
import {
  type AccountAlreadyConnected,
  type AccountCheckFailed,
  AccountNotFound,
  UsernameRequired
} from "../accounts/AccountErrors.ts"
import { checkToken } from "../accounts/checkToken.ts"
import { type Credentials, CredentialVault } from "../accounts/CredentialVault.ts"
import { SocialAccount } from "../accounts/SocialAccount.ts"
import type { AccountAccess } from "../networks/AccountAccess.ts"
import { Networks } from "../networks/Networks.ts"
import type { Network } from "../networks/Source.ts"
import { type ConnectOutcome, SocialAccounts } from "../accounts/SocialAccounts.ts"
import { Connectors, connectorTo } from "../networks/Connectors.ts"
import { nextSocialAccountId, SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { Workspace } from "../workspaces/Workspace.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { ManagedUserNotFound, NoLocalIssuer, type ScopeInvalid, WorkspaceNotFound } from "./AccessErrors.ts"
import { DashboardIdentity } from "./DashboardIdentity.ts"
import { type ManagedUser, ManagedUsers } from "../workspaces/ManagedUsers.ts"
import { judgeExternalUserId } from "./ScopeClaim.ts"

/**
 * Whether the network is asked whose a token is.
 *
 * - `true`, or absent: before it is stored, and every few hours
 * - `"later"`: not before it is stored
 * - `false`: never by itself, nor are the account's webhooks subscribed, until somebody checks the account
 */
export type TokenCheck = boolean | "later"

export interface NewAccount {
  readonly network: Network
  /** The id in webhooks: Instagram user_id, Page id, Threads user id, X user id. */
  readonly networkAccountId: string
  readonly name: string
  /** Without `@`; required for Threads and X. */
  readonly username: Option.Option<string>
  readonly avatarUrl: Option.Option<string>
  readonly externalUserId: Option.Option<string>
  readonly credentials: Credentials
  readonly permissions: ReadonlyArray<string>
  readonly check?: TokenCheck | undefined
}

/** What to change; absent members stay unchanged. */
export interface AccountPatch {
  readonly name?: string | undefined
  readonly username?: Option.Option<string> | undefined
  readonly avatarUrl?: Option.Option<string> | undefined
  readonly externalUserId?: Option.Option<string> | undefined
  readonly credentials?: Credentials | undefined
  readonly permissions?: ReadonlyArray<string> | undefined
  /** Of a new token. */
  readonly check?: TokenCheck | undefined
}

type Unknown = WorkspaceNotFound | StoreUnavailable
type AccountUnknown = AccountNotFound | Unknown

/** How long a disconnected account keeps its items and can be connected again with them (api.md §8). */
export const revivableFor = { days: 7 } as const

/**
 * Driving service: managed users, connected accounts and dashboard tokens. It does not authorise: the caller is the
 * administrator.
 */
export class AccountAdministration extends Context.Service<
  AccountAdministration,
  {
    /** Creates a managed user if absent. The id is validated as in row 2i of api.md §2. */
    readonly putManagedUser: (
      workspaceId: string,
      externalUserId: string
    ) => Effect.Effect<"created" | "known", ScopeInvalid | Unknown>
    readonly listManagedUsers: (workspaceId: string, page: PageRequest) => Effect.Effect<Page<ManagedUser>, Unknown>
    readonly findManagedUser: (
      workspaceId: string,
      externalUserId: string
    ) => Effect.Effect<ManagedUser, ManagedUserNotFound | Unknown>
    /** Erases the user, its accounts and all their data. */
    readonly eraseManagedUser: (
      workspaceId: string,
      externalUserId: string
    ) => Effect.Effect<void, ManagedUserNotFound | Unknown>
    /**
     * Connects an account, or revives one that was disconnected within 7 days, with its id and its items. The token is
     * tried first.
     */
    readonly connect: (
      workspaceId: string,
      account: NewAccount
    ) => Effect.Effect<
      ConnectOutcome,
      AccountAlreadyConnected | AccountCheckFailed | UsernameRequired | ScopeInvalid | Unknown
    >
    readonly listAccounts: (workspaceId: string, page: PageRequest) => Effect.Effect<Page<SocialAccount>, Unknown>
    /** An account, also one that is disconnected and not erased yet. */
    readonly findAccount: (workspaceId: string, id: string) => Effect.Effect<SocialAccount, AccountUnknown>
    /** Changes an account. A new owner sees its items at once; a new token is tried first. */
    readonly updateAccount: (
      workspaceId: string,
      id: string,
      patch: AccountPatch
    ) => Effect.Effect<SocialAccount, AccountCheckFailed | ScopeInvalid | AccountUnknown>
    /** Hides its items at once; the account and its items are erased after 7 days. */
    readonly disconnect: (workspaceId: string, id: string) => Effect.Effect<void, AccountUnknown>
    /** Signs a development token, bound to a managed user where one is named; only possible with the built-in issuer. */
    readonly issueDashboardToken: (
      workspaceId: string,
      userId: string,
      lifetime: { readonly seconds: number },
      externalUserId?: string
    ) => Effect.Effect<Redacted.Redacted<string>, NoLocalIssuer | Unknown>
  }
>()("@loopbox/core/access/AccountAdministration") {
  static readonly layer: Layer.Layer<
    AccountAdministration,
    never,
    Workspaces | ManagedUsers | SocialAccounts | CredentialVault | Connectors | SecureRandom
  > = Layer.effect(
    AccountAdministration,
    Effect.suspend(() => make)
  )
}

/** An account whose token is tried. */
type TokenHolder = Omit<AccountAccess, "accessToken"> & Pick<SocialAccount, "network">

/** An operator gave its token: nobody signed in. */
const noLogin = ({ network, networkAccountId, username }: Omit<NewAccount, "credentials">): TokenHolder => ({
  network,
  networkAccountId,
  username,
  otherAccountId: Option.none(),
  login: Option.none(),
  throughAccountId: Option.none()
})

const make = Effect.gen(function* () {
  const workspaces = yield* Workspaces
  const users = yield* ManagedUsers
  const accounts = yield* SocialAccounts
  const vault = yield* CredentialVault
  const networks = yield* Networks
  const connectors = yield* Connectors
  const identity = yield* DashboardIdentity
  const random = yield* SecureRandom

  const known = Effect.fnUntraced(function* (id: string) {
    const workspace = isWorkspaceId(id) ? yield* workspaces.find(id) : Option.none<Workspace>()
    if (Option.isNone(workspace)) return yield* new WorkspaceNotFound({ workspaceId: id })
    return workspace.value
  })

  /** Runs an operation on one account. A malformed id counts as not found. */
  const withAccount = Effect.fnUntraced(function* <A, E>(
    workspaceId: string,
    id: string,
    use: (workspaceId: WorkspaceId, id: SocialAccountId) => Effect.Effect<Option.Option<A>, E>
  ) {
    const workspace = yield* known(workspaceId)
    const found = isAccountId(id) ? yield* use(workspace.id, id) : Option.none<A>()
    if (Option.isNone(found)) return yield* new AccountNotFound({ workspaceId: workspace.id, accountId: id })
    return found.value
  })

  const putManagedUser = Effect.fn("AccountAdministration.putManagedUser")(function* (
    workspaceId: string,
    externalUserId: string
  ) {
    const workspace = yield* known(workspaceId)
    yield* Effect.fromResult(judgeExternalUserId(externalUserId))
    const outcome = yield* users.put(workspace.id, externalUserId, yield* DateTime.now)
    if (outcome === "absent") return yield* new WorkspaceNotFound({ workspaceId })
    return outcome
  })

  const findManagedUser = Effect.fn("AccountAdministration.findManagedUser")(function* (
    workspaceId: string,
    externalUserId: string
  ) {
    const workspace = yield* known(workspaceId)
    const user = yield* users.find(workspace.id, externalUserId)
    return Option.isSome(user) ? user.value : yield* new ManagedUserNotFound({ externalUserId })
  })

  const eraseManagedUser = Effect.fn("AccountAdministration.eraseManagedUser")(function* (
    workspaceId: string,
    externalUserId: string
  ) {
    const workspace = yield* known(workspaceId)
    const wasThere = yield* users.erase(workspace.id, externalUserId, connectors.redact)
    if (!wasThere) return yield* new ManagedUserNotFound({ externalUserId })
  })

  const tryToken = (account: TokenHolder, { accessToken }: Credentials) =>
    checkToken(connectorTo(connectors, account.network), { ...account, accessToken })

  const connect = Effect.fn("AccountAdministration.connect")(function* (workspaceId: string, request: NewAccount) {
    const workspace = yield* known(workspaceId)
    const { check = true, credentials, ...fields } = request
    const needsUsername = Option.exists(networks.describe(fields.network), (one) => one.needsUsername)
    if (Option.isNone(fields.username) && needsUsername) {
      return yield* new UsernameRequired({ network: fields.network })
    }
    if (Option.isSome(fields.externalUserId)) yield* Effect.fromResult(judgeExternalUserId(fields.externalUserId.value))
    if (check === true) yield* tryToken(noLogin(fields), credentials)
    const createdAt = yield* DateTime.now
    const account = new SocialAccount({
      ...fields,
      id: yield* nextSocialAccountId(random),
      workspaceId: workspace.id,
      otherAccountId: Option.none(),
      status: "connected",
      disconnectedAt: Option.none(),
      tokenExpiresAt: credentials.expiresAt,
      createdAt
    })
    const outcome = yield* accounts.connect(
      account,
      (accountId) => vault.seal({ workspaceId: workspace.id, accountId }, credentials),
      DateTime.subtract(createdAt, revivableFor),
      { isLeftAlone: check === false }
    )
    if (Option.isNone(outcome)) return yield* new WorkspaceNotFound({ workspaceId })
    return outcome.value
  })

  const updateAccount = Effect.fn("AccountAdministration.updateAccount")(function* (
    workspaceId: string,
    id: string,
    { check = true, credentials, ...patch }: AccountPatch
  ) {
    const owner = patch.externalUserId
    const now = yield* DateTime.now
    return yield* withAccount(
      workspaceId,
      id,
      Effect.fnUntraced(function* (workspace, accountId) {
        if (owner !== undefined && Option.isSome(owner)) yield* Effect.fromResult(judgeExternalUserId(owner.value))
        if (credentials === undefined) return yield* accounts.update(workspace, accountId, patch, now)
        if (check === true) {
          const account = yield* accounts.find(workspace, accountId)
          if (Option.isNone(account)) return Option.none()
          yield* tryToken(account.value, credentials)
        }
        const sealed = yield* vault.seal({ workspaceId: workspace, accountId }, credentials)
        const stored = { sealed, expiresAt: credentials.expiresAt, isLeftAlone: check === false }
        const change = { ...patch, credentials: stored }
        return yield* accounts.update(workspace, accountId, change, now)
      })
    )
  })

  const disconnect = Effect.fn("AccountAdministration.disconnect")(function* (workspaceId: string, id: string) {
    const now = yield* DateTime.now
    yield* withAccount(workspaceId, id, (workspace, accountId) =>
      Effect.map(accounts.disconnect(workspace, accountId, now), (was) =>
        was ? Option.some(undefined) : Option.none()
      )
    )
  })

  const issueDashboardToken = Effect.fn("AccountAdministration.issueDashboardToken")(function* (
    workspaceId: string,
    userId: string,
    lifetime: { readonly seconds: number },
    externalUserId?: string
  ) {
    const workspace = yield* known(workspaceId)
    if (Option.isNone(identity.issue)) return yield* new NoLocalIssuer()
    const expiresAt = DateTime.add(yield* DateTime.now, lifetime)
    return yield* identity.issue.value({ userId, workspaceId: workspace.id, expiresAt, externalUserId })
  })

  return AccountAdministration.of({
    putManagedUser,
    listManagedUsers: Effect.fn("AccountAdministration.listManagedUsers")((workspaceId, page) =>
      Effect.flatMap(known(workspaceId), ({ id }) => users.list(id, page))
    ),
    findManagedUser,
    eraseManagedUser,
    connect,
    listAccounts: Effect.fn("AccountAdministration.listAccounts")((workspaceId, page) =>
      Effect.flatMap(known(workspaceId), ({ id }) => accounts.list(id, page))
    ),
    findAccount: Effect.fn("AccountAdministration.findAccount")((workspaceId, id) =>
      withAccount(workspaceId, id, accounts.findKept)
    ),
    updateAccount,
    disconnect,
    issueDashboardToken
  })
})

const isWorkspaceId = Schema.is(WorkspaceId)
const isAccountId = Schema.is(SocialAccountId)
