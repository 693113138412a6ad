import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import type { ManagedUserExport } from "@loopbox/core/exporting/ManagedUserExport"
import type { ConnectedAccounts } from "@loopbox/core/health/ConnectedAccounts"
import type { Network } from "@loopbox/core/networks/Source"
import type { ManagedUser } from "@loopbox/core/workspaces/ManagedUsers"
import { type PlainAccount, type PlainManagedUser, toPlainAccount } from "./plainAccount.ts"
import { exportLines, type PlainExportLine } from "./plainExport.ts"
import { type PlainPage, toPlainPage } from "./plain.ts"
import type { CallOptions, Run } from "./run.ts"
import { toPlain } from "./toPlain.ts"
import { type ListRequest, toPageRequest } from "./listRequest.ts"
import { toOptionalMoment } from "./toMoment.ts"

/** The tokens of an account. */
export interface PlainCredentials {
  readonly accessToken: string
  readonly refreshToken?: string | null | undefined
  readonly expiresAt?: Date | null | undefined
}

export interface AccountsFacade {
  /**
   * Connects an account, or revives one that was disconnected within 7 days. A managed user as owner is created if
   * absent.
   *
   * The network is asked whose the token is first: rejects with `AccountCheckFailed` if it is invalid, another account's, or
   * could not be tried. With `check: false` it is stored as it is, and the account is left alone: its webhooks are not
   * subscribed, and its network is not asked how it is, until `check` is called.
   */
  readonly connect: (
    account: {
      readonly workspaceId: string
      readonly network: Network
      /** The id that the network's webhooks use. */
      readonly networkAccountId: string
      readonly name: string
      /** Required for Threads and X. */
      readonly username?: string | null | undefined
      readonly avatarUrl?: string | null | undefined
      readonly externalUserId?: string | null | undefined
      readonly credentials: PlainCredentials
      readonly permissions?: ReadonlyArray<string> | undefined
      readonly check?: boolean | undefined
    },
    options?: CallOptions
  ) => Promise<PlainAccount>
  readonly list: (workspaceId: string, request?: ListRequest, options?: CallOptions) => Promise<PlainPage<PlainAccount>>
  readonly find: (workspaceId: string, id: string, options?: CallOptions) => Promise<PlainAccount>
  /** Gives an account to another managed user, or to none. The new owner sees its items at once. */
  readonly move: (
    workspaceId: string,
    id: string,
    externalUserId: string | null,
    options?: CallOptions
  ) => Promise<PlainAccount>
  /** Stores new tokens, which are tried as in `connect`. A `reauth_required` account becomes `connected`. */
  readonly renew: (
    workspaceId: string,
    id: string,
    credentials: PlainCredentials,
    options?: CallOptions & { readonly check?: boolean | undefined }
  ) => Promise<PlainAccount>
  /**
   * Asks the network now whose the token is, and makes the account's webhooks be subscribed. A token that is dead is an
   * answer: the account is `reauth_required`. Rejects with `RateLimited` or `Unavailable` if the network can't be asked.
   */
  readonly check: (workspaceId: string, id: string, options?: CallOptions) => Promise<PlainAccount>
  /**
   * Takes its subscription and its token back at the network, as far as that works within a short time, and hides its
   * items. If it is connected again within 7 days, they are restored.
   */
  readonly disconnect: (workspaceId: string, id: string, options?: CallOptions) => Promise<void>
  readonly addManagedUser: (workspaceId: string, externalUserId: string, options?: CallOptions) => Promise<void>
  readonly findManagedUser: (
    workspaceId: string,
    externalUserId: string,
    options?: CallOptions
  ) => Promise<PlainManagedUser>
  readonly listManagedUsers: (
    workspaceId: string,
    request?: ListRequest,
    options?: CallOptions
  ) => Promise<PlainPage<PlainManagedUser>>
  /**
   * Everything that is kept of a user, line by line as `GET …/export` has it; the last line is of the type `end`. What is
   * not taken is not read. Audited as `managed_user.exported` with the first line.
   */
  readonly exportManagedUser: (
    workspaceId: string,
    externalUserId: string,
    options?: CallOptions
  ) => AsyncIterable<PlainExportLine>
  /** Erases the user, its accounts and all their data. */
  readonly eraseManagedUser: (workspaceId: string, externalUserId: string, options?: CallOptions) => Promise<void>
}

const toCredentials = ({ accessToken, expiresAt, refreshToken }: PlainCredentials) =>
  Effect.map(toOptionalMoment("credentials.expiresAt", expiresAt), (expires) => ({
    accessToken: Redacted.make(accessToken),
    refreshToken: Option.map(Option.fromNullishOr(refreshToken), (token) => Redacted.make(token)),
    expiresAt: expires
  }))

export const makeAccountsFacade = (
  administration: AccountAdministration["Service"],
  connected: ConnectedAccounts["Service"],
  exports: ManagedUserExport["Service"],
  run: Run
): AccountsFacade => ({
  connect: (
    { avatarUrl, check = true, credentials, externalUserId, permissions, username, workspaceId, ...fields },
    options
  ) =>
    run(
      toCredentials(credentials).pipe(
        Effect.flatMap((given) =>
          administration.connect(workspaceId, {
            ...fields,
            username: Option.fromNullishOr(username),
            avatarUrl: Option.fromNullishOr(avatarUrl),
            externalUserId: Option.fromNullishOr(externalUserId),
            credentials: given,
            permissions: permissions ?? [],
            check
          })
        ),
        Effect.map(({ account }) => toPlainAccount(account))
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
      toCredentials(credentials).pipe(
        Effect.flatMap((given) =>
          administration.updateAccount(workspaceId, id, { credentials: given, check: options?.check })
        ),
        Effect.map(toPlainAccount)
      ),
      options
    ),
  check: (workspaceId, id, options) =>
    run(
      Effect.flatMap(administration.findAccount(workspaceId, id), (account) =>
        connected.check(new WorkspaceScope({ workspaceId: account.workspaceId }), account.id)
      ).pipe(Effect.andThen(administration.findAccount(workspaceId, id)), Effect.map(toPlainAccount)),
      options
    ),
  disconnect: (workspaceId, id, options) =>
    run(
      Effect.flatMap(administration.findAccount(workspaceId, id), (account) =>
        account.status === "disconnected"
          ? administration.disconnect(workspaceId, id)
          : connected.disconnect(new WorkspaceScope({ workspaceId: account.workspaceId }), account.id)
      ),
      options
    ),
  addManagedUser: (workspaceId, externalUserId, options) =>
    run(Effect.asVoid(administration.putManagedUser(workspaceId, externalUserId)), options),
  findManagedUser: (workspaceId, externalUserId, options) =>
    run(Effect.map(administration.findManagedUser(workspaceId, externalUserId), toPlain<ManagedUser>), options),
  listManagedUsers: (workspaceId, request = {}, options) =>
    run(
      toPageRequest(request).pipe(
        Effect.flatMap((asked) => administration.listManagedUsers(workspaceId, asked)),
        Effect.map((page) => toPlainPage(page, toPlain<ManagedUser>))
      ),
      options
    ),
  exportManagedUser: (workspaceId, externalUserId, options) =>
    exportLines(() => run(exports.export(workspaceId, externalUserId), options), options?.signal),
  eraseManagedUser: (workspaceId, externalUserId, options) =>
    run(administration.eraseManagedUser(workspaceId, externalUserId), options)
})
