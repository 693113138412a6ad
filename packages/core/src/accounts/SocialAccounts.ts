import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { AccountAlreadyConnected, AccountMismatch, AccountOfOtherUser } from "./AccountErrors.ts"
import type { SealedCredentials } from "./CredentialVault.ts"
import type { Network } from "../networks/Source.ts"
import type { SocialAccount } from "./SocialAccount.ts"

/** How a webhook names an account. */
export interface AccountName {
  readonly network: Network
  /** An id of the network, or the handle without `@`; a handle is compared without case. */
  readonly by: "id" | "username"
  readonly value: string
}

/** One workspace's connection of an account that a webhook named. */
export interface ConnectedRoute {
  readonly name: AccountName
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
  /** Whether the account is for the inbox; of one that isn't, only lost access is of interest. */
  readonly isForInbox: boolean
}

/** An account by its ids. */
export interface AccountKey {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
}

/** Seals credentials for an account id, which is known only in the transaction: a revived account keeps its id. */
export type SealFor = (accountId: SocialAccountId) => Effect.Effect<SealedCredentials>

export interface ConnectOptions {
  /** Whether an `AccountConnected` event is written in the same transaction. True. */
  readonly isAnnounced?: boolean
  /** Its network is asked nothing by itself, and its webhooks are not subscribed, until somebody checks it. False. */
  readonly isLeftAlone?: boolean
}

export interface ConnectOutcome {
  readonly _tag: "Connected" | "Revived"
  readonly account: SocialAccount
}

/** An account that a person has just allowed at its network. */
export interface Admission {
  /** As it is if the workspace does not know it yet. */
  readonly account: SocialAccount
  readonly seal: SealFor
  /** The account that is to be connected again: any other is refused. */
  readonly expected: Option.Option<SocialAccountId>
  readonly revivableSince: DateTime.Utc
}

export interface AdmitOutcome {
  readonly _tag: "Connected" | "Revived" | "Renewed"
  readonly account: SocialAccount
}

/** A change to an account that is not disconnected; absent members stay unchanged. */
export interface AccountChange {
  readonly name?: string | undefined
  readonly username?: Option.Option<string> | undefined
  readonly avatarUrl?: Option.Option<string> | undefined
  /** The new owner: a managed user, who is created if absent, or `none`. */
  readonly externalUserId?: Option.Option<string> | undefined
  /** A new token makes a `reauth_required` account `connected`. */
  readonly credentials?:
    | {
        readonly sealed: SealedCredentials
        readonly expiresAt: Option.Option<DateTime.Utc>
        /** As in `ConnectOptions`. */
        readonly isLeftAlone?: boolean
      }
    | undefined
  readonly permissions?: ReadonlyArray<string> | undefined
}

/** Port: the connected accounts, their routes (the names that webhooks use), and their sealed credentials. */
export class SocialAccounts extends Context.Service<
  SocialAccounts,
  {
    /**
     * Adds an account, or revives the one that was disconnected after `revivableSince`, with its id and its items.
     *
     * An account that was disconnected earlier is erased. The owner is created if absent. `none`: the workspace does
     * not exist.
     */
    readonly connect: (
      account: SocialAccount,
      seal: SealFor,
      revivableSince: DateTime.Utc,
      options?: ConnectOptions
    ) => Effect.Effect<Option.Option<ConnectOutcome>, AccountAlreadyConnected | StoreUnavailable>
    /**
     * Connects an account, revives it, or renews a known one: then its id, its items and the time of its connection
     * stay, and it gets the new credentials and is polled at once. One transaction; a refusal changes nothing. The owner
     * is created if absent. `none`: the workspace does not exist.
     */
    readonly admit: (
      admission: Admission
    ) => Effect.Effect<Option.Option<AdmitOutcome>, AccountOfOtherUser | AccountMismatch | StoreUnavailable>
    /** Finds an account that is not disconnected. */
    readonly find: (
      workspaceId: WorkspaceId,
      id: SocialAccountId
    ) => Effect.Effect<Option.Option<SocialAccount>, StoreUnavailable>
    /** Finds an account, also one that is disconnected and not erased yet. */
    readonly findKept: (
      workspaceId: WorkspaceId,
      id: SocialAccountId
    ) => Effect.Effect<Option.Option<SocialAccount>, StoreUnavailable>
    /** Newest first, disconnected ones included. */
    readonly list: (workspaceId: WorkspaceId, page: PageRequest) => Effect.Effect<Page<SocialAccount>, StoreUnavailable>
    /**
     * Changes an account that is not disconnected, under a lock of its row. A new owner writes an `account_moved` event
     * in the same transaction, and sees the items at once, since readers join the owner.
     */
    readonly update: (
      workspaceId: WorkspaceId,
      id: SocialAccountId,
      change: AccountChange,
      at: DateTime.Utc
    ) => Effect.Effect<Option.Option<SocialAccount>, StoreUnavailable>
    /**
     * Hides the account's items, removes its routes and writes an `account_moved` event, in one transaction. Returns
     * whether there was such a connected account.
     */
    readonly disconnect: (
      workspaceId: WorkspaceId,
      id: SocialAccountId,
      at: DateTime.Utc
    ) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * The network revoked the token's permission at that time: no polls and no replies until there is a new token. Does
     * nothing if the credentials were stored at that time or later, because the revocation then applies to older ones.
     */
    readonly requireReauth: (
      workspaceId: WorkspaceId,
      id: SocialAccountId,
      revokedAt: DateTime.Utc
    ) => Effect.Effect<void, StoreUnavailable>
    /**
     * Accounts of these networks, in all workspaces, that a person connected who has this id, or that have it themselves.
     * Disconnected ones, too. `missing`: some workspaces can't be asked now, and accounts of theirs may be left out.
     */
    readonly findOfPerson: (
      networks: ReadonlyArray<Network>,
      personId: string
    ) => Effect.Effect<
      { readonly accounts: ReadonlyArray<AccountKey>; readonly missing: Option.Option<StoreUnavailable> },
      StoreUnavailable
    >
    /** Every connection, in all workspaces, of the accounts that webhooks name. Disconnected accounts have none. */
    readonly findRoutes: (
      names: ReadonlyArray<AccountName>
    ) => Effect.Effect<ReadonlyArray<ConnectedRoute>, StoreUnavailable>
  }
>()("@loopbox/core/accounts/SocialAccounts") {}
