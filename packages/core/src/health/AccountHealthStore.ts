import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { InboxScope } from "../access/InboxScope.ts"
import type { AccountStatus, SocialAccount } from "../accounts/SocialAccount.ts"
import type { SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import type { LeaseRequest } from "../kernel/lease/claimLoop.ts"
import type { LeaseLost } from "../kernel/lease/LeaseLost.ts"
import type { PageKey, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { Network } from "../networks/Source.ts"
import type { CheckFacts, KnownAccount } from "./AccountFacts.ts"
import type { Announcement } from "./announceHealth.ts"

/** Which accounts a list has; an empty set means all. */
export interface AccountFilter {
  readonly networks: ReadonlySet<Network>
  readonly statuses: ReadonlySet<AccountStatus>
}

/** A page of accounts; `next` is the key of the last one. */
export interface KnownPage {
  readonly items: ReadonlyArray<KnownAccount>
  readonly next: Option.Option<PageKey>
}

/** An account leased to one check. */
export interface CheckClaim extends KnownAccount {
  readonly token: string
}

/** What a network calls an account now. */
export interface CheckedNames {
  readonly name: string
  /** `none` if the network does not tell: what is stored stays. */
  readonly username: Option.Option<string>
  readonly avatarUrl: Option.Option<string>
}

/** What a check found. */
export interface CheckNotes {
  readonly checks: CheckFacts
  /** What the token may do, if the network told. */
  readonly permissions: Option.Option<ReadonlyArray<string>>
  /** Absent if the network was not asked, or did not tell. Nothing is announced of other names. */
  readonly names: Option.Option<CheckedNames>
}

/** What follows from all facts of an account, those that arose during the check among them. */
export interface Verdict extends Announcement {
  /** When it is looked at next; a fact that changes its health makes it due earlier. */
  readonly dueAt: Option.Option<DateTime.Utc>
}

/**
 * Port: what is known of how well accounts are, and who checks them.
 *
 * Facts are stored where they arise, each in the transaction of what it is about: `SocialAccounts` and
 * `AccountCredentials` (connected, disconnected, token dead), `PollStore.settle` (polls), `IngestStore.ingest` (webhooks,
 * and what polls found). A fact that may change the health makes the account due.
 */
export class AccountHealthStore extends Context.Service<
  AccountHealthStore,
  {
    /** Finds an account, also a disconnected one, unless it is erased. */
    readonly find: (
      workspaceId: WorkspaceId,
      id: SocialAccountId
    ) => Effect.Effect<Option.Option<KnownAccount>, StoreUnavailable>
    /** Newest first, with those that were disconnected after `disconnectedSince`. */
    readonly list: (
      scope: InboxScope,
      filter: AccountFilter & { readonly disconnectedSince: DateTime.Utc },
      page: PageRequest
    ) => Effect.Effect<KnownPage, StoreUnavailable>
    /** Claims due accounts that are not disconnected, the longest due first. */
    readonly claim: (
      request: LeaseRequest & { readonly now: DateTime.Utc }
    ) => Effect.Effect<ReadonlyArray<CheckClaim>, StoreUnavailable>
    /** Claims one account that is not disconnected, whether it is due or not; another claim of it loses its lease. */
    readonly seize: (
      workspaceId: WorkspaceId,
      id: SocialAccountId,
      request: Omit<LeaseRequest, "limit">
    ) => Effect.Effect<Option.Option<CheckClaim>, StoreUnavailable>
    readonly renew: (claim: CheckClaim, leaseUntil: DateTime.Utc) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /** Ends the lease; the account stays due. */
    readonly release: (claim: CheckClaim) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /**
     * One transaction: stores what a check found, if there was one, judges the account by all facts under the lock of its
     * row, and writes the verdict with its events. New credentials and a disconnection end the lease.
     */
    readonly settle: (
      claim: CheckClaim,
      notes: Option.Option<CheckNotes>,
      judge: (known: KnownAccount) => Verdict,
      at: DateTime.Utc
    ) => Effect.Effect<KnownAccount, LeaseLost | StoreUnavailable>
    /** Whether a person who connected the account has connected another one of its network, in any workspace. */
    readonly isPersonElsewhere: (account: SocialAccount) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Whether another account, in any workspace, is told of by the same subscription: an account and those that are
     * reached through it have one together.
     */
    readonly isSubscriptionShared: (account: SocialAccount) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("@loopbox/core/health/AccountHealthStore") {}
