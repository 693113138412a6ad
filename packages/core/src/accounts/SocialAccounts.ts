import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Redact } from "../kernel/Redact.ts"
import type { SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { AccountAlreadyConnected } from "./AccountErrors.ts"
import type { SealedCredentials } from "./CredentialVault.ts"
import type { Network, SocialAccount } from "./SocialAccount.ts"

/** How a webhook names an account. */
export interface AccountName {
  readonly network: Network
  /** The network's id, or the handle without `@`; a handle is compared without case. */
  readonly by: "id" | "username"
  readonly value: string
}

/** One workspace's connection of an account that a webhook named. */
export interface ConnectedRoute {
  readonly name: AccountName
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
}

/** Seals credentials for the id that the account turns out to have: a revived one keeps its own. */
export type SealFor = (accountId: SocialAccountId) => Effect.Effect<SealedCredentials>

export interface ConnectOutcome {
  readonly _tag: "Connected" | "Revived"
  readonly account: SocialAccount
}

/** What may change of an account that is not disconnected; absent members stay. */
export interface AccountChange {
  readonly name?: string | undefined
  readonly username?: Option.Option<string> | undefined
  readonly avatarUrl?: Option.Option<string> | undefined
  /** Moves it: to another managed user, who exists from then on, or to none. */
  readonly externalUserId?: Option.Option<string> | undefined
  /** A new token makes a `reauth_required` account `connected`. */
  readonly credentials?:
    | { readonly sealed: SealedCredentials; readonly expiresAt: Option.Option<DateTime.Utc> }
    | undefined
  readonly permissions?: ReadonlyArray<string> | undefined
}

/** Port: the connected accounts, their routes by what webhooks call them, and their sealed credentials. */
export class SocialAccounts extends Context.Service<
  SocialAccounts,
  {
    /**
     * Adds an account, or revives the one that was disconnected after `revivableSince`: same id, items back.
     *
     * One that was disconnected before is erased first. An owner that is named exists from then on. `none`: there is
     * no such workspace.
     */
    readonly connect: (
      account: SocialAccount,
      seal: SealFor,
      revivableSince: DateTime.Utc
    ) => Effect.Effect<Option.Option<ConnectOutcome>, AccountAlreadyConnected | StoreUnavailable>
    /** Finds an account that is not disconnected. */
    readonly find: (
      workspaceId: WorkspaceId,
      id: SocialAccountId
    ) => Effect.Effect<Option.Option<SocialAccount>, StoreUnavailable>
    /** Newest first, disconnected ones included. */
    readonly list: (workspaceId: WorkspaceId, page: PageRequest) => Effect.Effect<Page<SocialAccount>, StoreUnavailable>
    /**
     * Changes an account that is not disconnected, under its row's lock. A new owner writes an `account_moved` event
     * in the same transaction; its items' visibility moves at once, for readers join the owner.
     */
    readonly update: (
      workspaceId: WorkspaceId,
      id: SocialAccountId,
      change: AccountChange,
      at: DateTime.Utc
    ) => Effect.Effect<Option.Option<SocialAccount>, StoreUnavailable>
    /**
     * Hides its items, ends its routes and writes an `account_moved` event, at once. Answers whether it was there and
     * not disconnected.
     */
    readonly disconnect: (
      workspaceId: WorkspaceId,
      id: SocialAccountId,
      at: DateTime.Utc
    ) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Erases at most `limit` accounts that were disconnected before `before`, with all their data. What kept webhook
     * deliveries say to an account is redacted, unless the same network account is still connected somewhere: then it is
     * its data, too. Answers how many.
     */
    readonly eraseDisconnected: (
      before: DateTime.Utc,
      limit: number,
      redact: Redact
    ) => Effect.Effect<number, StoreUnavailable>
    /** The token no longer works: no poll and no reply until a new one comes. */
    readonly requireReauth: (workspaceId: WorkspaceId, id: SocialAccountId) => Effect.Effect<void, StoreUnavailable>
    readonly findSealed: (
      workspaceId: WorkspaceId,
      id: SocialAccountId
    ) => Effect.Effect<Option.Option<SealedCredentials>, StoreUnavailable>
    /** Every connection, in all workspaces, of the accounts that webhooks named; disconnected ones have none. */
    readonly findRoutes: (
      names: ReadonlyArray<AccountName>
    ) => Effect.Effect<ReadonlyArray<ConnectedRoute>, StoreUnavailable>
  }
>()("@loopbox/core/accounts/SocialAccounts") {}
