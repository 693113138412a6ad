import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { SealedCredentials } from "./CredentialVault.ts"
import type { SocialAccount } from "./SocialAccount.ts"
import type { AccountKey } from "./SocialAccounts.ts"

/** A connected account with its sealed credentials. */
export interface UsableAccount {
  readonly account: SocialAccount
  readonly sealed: SealedCredentials
  /** When to renew its token; `none` if it can't be renewed. */
  readonly renewAt: Option.Option<DateTime.Utc>
}

/** The right to renew the token of one account, until the lease expires. */
export interface RenewalClaim {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
  /** The credentials to renew. */
  readonly sealed: SealedCredentials
  readonly token: string
}

/**
 * How a renewal ends.
 *
 * - `Renewed`: new credentials replace the old ones
 * - `Kept`: the old ones stay, and are tried again at `renewAt`
 */
export type RenewalOutcome =
  | {
      readonly _tag: "Renewed"
      readonly sealed: SealedCredentials
      readonly expiresAt: Option.Option<DateTime.Utc>
      readonly renewAt: Option.Option<DateTime.Utc>
      readonly renewedAt: DateTime.Utc
    }
  | { readonly _tag: "Kept"; readonly renewAt: Option.Option<DateTime.Utc> }

/**
 * Port: the sealed credentials of accounts, and the leases to renew them.
 *
 * Only one process at a time renews the credentials of an account: X accepts a refresh token once, so a second renewal
 * would fail.
 */
export class AccountCredentials extends Context.Service<
  AccountCredentials,
  {
    /** Finds an account that is `connected`. */
    readonly find: (
      workspaceId: WorkspaceId,
      id: SocialAccountId
    ) => Effect.Effect<Option.Option<UsableAccount>, StoreUnavailable>
    /** The credentials of an account that is not disconnected, even if they are not usable. */
    readonly findSealed: (
      workspaceId: WorkspaceId,
      id: SocialAccountId
    ) => Effect.Effect<Option.Option<SealedCredentials>, StoreUnavailable>
    /**
     * Returns whether the claim was granted: no other process holds the lease, and the credentials are still those of
     * the claim. With `dueAt`, only if the stored `renewAt` is not later than that: a failed attempt may have moved it.
     */
    readonly claimRenewal: (
      claim: RenewalClaim,
      lease: { readonly now: DateTime.Utc; readonly until: DateTime.Utc; readonly dueAt: Option.Option<DateTime.Utc> }
    ) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Returns whether it was written. Nothing is written if the credentials were replaced meanwhile, for example by an
     * administrator. With a lost lease `Kept` is not written, but `Renewed` is, because the network may not issue the
     * new credentials again.
     */
    readonly settleRenewal: (claim: RenewalClaim, outcome: RenewalOutcome) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Stores how the network names the account with these credentials. From then on webhooks find it by its other id,
     * and a missing user name is filled. Does nothing if the credentials were replaced meanwhile.
     */
    readonly noteNames: (
      account: Omit<RenewalClaim, "token">,
      names: { readonly otherAccountId: string; readonly username: Option.Option<string> }
    ) => Effect.Effect<void, StoreUnavailable>
    /** Marks the account `reauth_required`, unless its credentials were replaced meanwhile. */
    readonly expire: (
      workspaceId: WorkspaceId,
      id: SocialAccountId,
      sealed: SealedCredentials
    ) => Effect.Effect<void, StoreUnavailable>
    /**
     * Deletes the credentials that were stored before a moment; the account must then be connected again. May be
     * repeated.
     */
    readonly drop: (key: AccountKey, storedBefore: DateTime.Utc) => Effect.Effect<void, StoreUnavailable>
  }
>()("@loopbox/core/accounts/AccountCredentials") {}

/**
 * When to renew a token of unknown lifetime: Instagram and Threads renew a token that is a day old, and then say how
 * long the new one is valid (social-networks.md §8). If the token can't be renewed, the attempt makes no call.
 */
const unknownLife = Duration.hours(24)

/** A token is renewed at half of its lifetime (social-networks.md §6), which leaves time for retries. */
export const renewAt = (from: DateTime.Utc, expiresAt: Option.Option<DateTime.Utc>): DateTime.Utc =>
  DateTime.addDuration(
    from,
    Option.match(expiresAt, {
      onNone: () => unknownLife,
      onSome: (end) =>
        Duration.millis(Math.floor(Math.max(0, DateTime.toEpochMillis(end) - DateTime.toEpochMillis(from)) / 2))
    })
  )
