import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { SealedCredentials } from "./CredentialVault.ts"
import type { SocialAccount } from "./SocialAccount.ts"

/** An account that can be used, with what it is used by. */
export interface UsableAccount {
  readonly account: SocialAccount
  readonly sealed: SealedCredentials
  /** From when on its token is to be renewed; none while nobody knows when it ends. */
  readonly renewAt: Option.Option<DateTime.Utc>
}

/** The turn to renew one account's token, until its lease ends. */
export interface RenewalClaim {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
  /** The credentials that are to be renewed. */
  readonly sealed: SealedCredentials
  readonly token: string
}

/**
 * How a turn ends.
 *
 * - `Renewed`: other credentials take the place of the old ones
 * - `Kept`: the old ones stay, and are looked at again at `renewAt`
 */
export type RenewalOutcome =
  | {
      readonly _tag: "Renewed"
      readonly sealed: SealedCredentials
      readonly expiresAt: Option.Option<DateTime.Utc>
      readonly renewAt: Option.Option<DateTime.Utc>
    }
  | { readonly _tag: "Kept"; readonly renewAt: Option.Option<DateTime.Utc> }

/**
 * Port: the sealed credentials of accounts, and whose turn it is to renew them.
 *
 * One process at a time renews those of an account: X takes a refresh token once, and whoever comes second has lost it.
 */
export class AccountCredentials extends Context.Service<
  AccountCredentials,
  {
    /** An account that is `connected`. */
    readonly find: (
      workspaceId: WorkspaceId,
      id: SocialAccountId
    ) => Effect.Effect<Option.Option<UsableAccount>, StoreUnavailable>
    /** Answers whether the turn was got: nobody has it, and the credentials are still those of the claim. */
    readonly claimRenewal: (
      claim: RenewalClaim,
      lease: { readonly now: DateTime.Utc; readonly until: DateTime.Utc }
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Answers whether it was written: not when the turn was lost, or an administrator gave other credentials. */
    readonly settleRenewal: (claim: RenewalClaim, outcome: RenewalOutcome) => Effect.Effect<boolean, StoreUnavailable>
    /** The account must be connected again, unless it got other credentials meanwhile. */
    readonly expire: (
      workspaceId: WorkspaceId,
      id: SocialAccountId,
      sealed: SealedCredentials
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("@loopbox/core/accounts/AccountCredentials") {}

/** A token is renewed at half of its life (social-networks.md §6), so that there is time to try again. */
export const renewAt = (from: DateTime.Utc, expiresAt: Option.Option<DateTime.Utc>): Option.Option<DateTime.Utc> =>
  Option.map(expiresAt, (end) => {
    const left = Math.max(0, DateTime.toEpochMillis(end) - DateTime.toEpochMillis(from))
    return DateTime.addDuration(from, Duration.millis(Math.floor(left / 2)))
  })
