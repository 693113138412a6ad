import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { AccountAdministration } from "../access/AccountAdministration.ts"
import type { AccountStatus, Network, SocialAccount } from "../accounts/SocialAccount.ts"
import { type PlainPage, toPlainPage } from "./plain.ts"
import type { CallOptions, Run } from "./run.ts"
import { type ListRequest, toPageRequest } from "./listRequest.ts"

/** A connected account as plain data; its tokens are never in it. */
export interface PlainAccount {
  readonly id: string
  readonly workspaceId: string
  readonly network: Network
  readonly networkAccountId: string
  readonly name: string
  readonly username: string | null
  readonly avatarUrl: string | null
  readonly externalUserId: string | null
  readonly status: AccountStatus
  readonly createdAt: Date
}

export interface PlainManagedUser {
  readonly workspaceId: string
  readonly externalUserId: string
  readonly createdAt: Date
}

/** The tokens of an account. */
export interface PlainCredentials {
  readonly accessToken: string
  readonly refreshToken?: string | null | undefined
  readonly expiresAt?: Date | null | undefined
}

export interface AccountsFacade {
  /** Connects an account, or revives the one that was disconnected within 7 days. An owner that is named exists then. */
  readonly connect: (
    account: {
      readonly workspaceId: string
      readonly network: Network
      /** The id that the network's webhooks use. */
      readonly networkAccountId: string
      readonly name: string
      /** Threads and X need it. */
      readonly username?: string | null | undefined
      readonly avatarUrl?: string | null | undefined
      readonly externalUserId?: string | null | undefined
      readonly credentials: PlainCredentials
      readonly permissions?: ReadonlyArray<string> | undefined
    },
    options?: CallOptions
  ) => Promise<PlainAccount>
  readonly list: (workspaceId: string, request?: ListRequest, options?: CallOptions) => Promise<PlainPage<PlainAccount>>
  readonly find: (workspaceId: string, id: string, options?: CallOptions) => Promise<PlainAccount>
  /** Gives an account to another managed user, or to none; its items' visibility moves at once. */
  readonly move: (
    workspaceId: string,
    id: string,
    externalUserId: string | null,
    options?: CallOptions
  ) => Promise<PlainAccount>
  /** New tokens; a `reauth_required` account is `connected` then. */
  readonly renew: (
    workspaceId: string,
    id: string,
    credentials: PlainCredentials,
    options?: CallOptions
  ) => Promise<PlainAccount>
  /** Hides its items; within 7 days it can be connected again with them. */
  readonly disconnect: (workspaceId: string, id: string, options?: CallOptions) => Promise<void>
  readonly addManagedUser: (workspaceId: string, externalUserId: string, options?: CallOptions) => Promise<void>
  readonly listManagedUsers: (
    workspaceId: string,
    request?: ListRequest,
    options?: CallOptions
  ) => Promise<PlainPage<PlainManagedUser>>
  /** Erases the user, its accounts and all their data. */
  readonly eraseManagedUser: (workspaceId: string, externalUserId: string, options?: CallOptions) => Promise<void>
}

const toPlainAccount = (account: SocialAccount): PlainAccount => ({
  id: account.id,
  workspaceId: account.workspaceId,
  network: account.network,
  networkAccountId: account.networkAccountId,
  name: account.name,
  username: Option.getOrNull(account.username),
  avatarUrl: Option.getOrNull(account.avatarUrl),
  externalUserId: Option.getOrNull(account.externalUserId),
  status: account.status,
  createdAt: DateTime.toDateUtc(account.createdAt)
})

const toCredentials = ({ accessToken, expiresAt, refreshToken }: PlainCredentials) => ({
  accessToken: Redacted.make(accessToken),
  refreshToken: Option.map(Option.fromNullishOr(refreshToken), (token) => Redacted.make(token)),
  expiresAt: Option.map(Option.fromNullishOr(expiresAt), DateTime.fromDateUnsafe)
})

export const makeAccountsFacade = (administration: AccountAdministration["Service"], run: Run): AccountsFacade => ({
  connect: ({ avatarUrl, credentials, externalUserId, permissions, username, workspaceId, ...fields }, options) =>
    run(
      Effect.map(
        administration.connect(workspaceId, {
          ...fields,
          username: Option.fromNullishOr(username),
          avatarUrl: Option.fromNullishOr(avatarUrl),
          externalUserId: Option.fromNullishOr(externalUserId),
          credentials: toCredentials(credentials),
          permissions: permissions ?? []
        }),
        ({ account }) => toPlainAccount(account)
      ),
      options
    ),
  list: (workspaceId, request = {}, options) =>
    run(
      toPageRequest(request).pipe(
        Effect.flatMap((asked) => administration.listAccounts(workspaceId, asked)),
        Effect.map((page) => toPlainPage(page, toPlainAccount))
      ),
      options
    ),
  find: (workspaceId, id, options) =>
    run(Effect.map(administration.findAccount(workspaceId, id), toPlainAccount), options),
  move: (workspaceId, id, externalUserId, options) =>
    run(
      Effect.map(
        administration.updateAccount(workspaceId, id, { externalUserId: Option.fromNullOr(externalUserId) }),
        toPlainAccount
      ),
      options
    ),
  renew: (workspaceId, id, credentials, options) =>
    run(
      Effect.map(
        administration.updateAccount(workspaceId, id, { credentials: toCredentials(credentials) }),
        toPlainAccount
      ),
      options
    ),
  disconnect: (workspaceId, id, options) => run(administration.disconnect(workspaceId, id), options),
  addManagedUser: (workspaceId, externalUserId, options) =>
    run(Effect.asVoid(administration.putManagedUser(workspaceId, externalUserId)), options),
  listManagedUsers: (workspaceId, request = {}, options) =>
    run(
      toPageRequest(request).pipe(
        Effect.flatMap((asked) => administration.listManagedUsers(workspaceId, asked)),
        Effect.map((page) =>
          toPlainPage(page, ({ createdAt, ...user }) => ({ ...user, createdAt: DateTime.toDateUtc(createdAt) }))
        )
      ),
      options
    ),
  eraseManagedUser: (workspaceId, externalUserId, options) =>
    run(administration.eraseManagedUser(workspaceId, externalUserId), options)
})
