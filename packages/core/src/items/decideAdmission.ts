import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { AccountMismatch, AccountOfOtherUser } from "../accounts/AccountErrors.ts"
import { SocialAccount } from "../accounts/SocialAccount.ts"
import type { Admission } from "../accounts/SocialAccounts.ts"
import { type AccountDecision, decideConnect } from "./decideAccount.ts"
import type { SocialAccountId } from "../kernel/Ids.ts"
import { allFeatures, type Feature } from "../networks/Feature.ts"

/**
 * How an account is admitted.
 *
 * - `New`: the workspace has no row of this network account
 * - `Replaced`: one that was disconnected long ago is erased first
 * - `Revived`: one that was disconnected recently is connected again, with its id and its items
 * - `Renewed`: a known one gets new credentials; its id and its history stay
 */
export type Admitted =
  | { readonly _tag: "New"; readonly account: SocialAccount }
  | { readonly _tag: "Replaced"; readonly account: SocialAccount; readonly erased: SocialAccountId }
  | ({ readonly _tag: "Revived" } & AccountDecision)
  | ({ readonly _tag: "Renewed" } & AccountDecision)

const union = <A>(one: ReadonlyArray<A>, other: ReadonlyArray<A>): ReadonlyArray<A> =>
  Array.from(new Set([...one, ...other]))

/** An account whose features nobody named is for all of them, and stays so. */
const featuresOf = (before: SocialAccount, { features }: SocialAccount): ReadonlyArray<Feature> =>
  union(before.features.length === 0 && features.length > 0 ? allFeatures : before.features, features)

/** A known account as it is after a person connected it again. The permissions of another login have other names. */
const renewed = (before: SocialAccount, account: SocialAccount): SocialAccount => {
  const isSameLogin = Option.getOrNull(before.login) === Option.getOrNull(account.login)
  return new SocialAccount({
    ...account,
    id: before.id,
    createdAt: before.createdAt,
    username: Option.orElse(account.username, () => before.username),
    avatarUrl: Option.orElse(account.avatarUrl, () => before.avatarUrl),
    features: featuresOf(before, account),
    requestedPermissions: isSameLogin
      ? union(before.requestedPermissions, account.requestedPermissions)
      : account.requestedPermissions
  })
}

/**
 * Admits an account that a person has just allowed, given the workspace's row of the same network account. An account
 * never changes its owner in this way, and no other account takes the place of the one that was to be connected again.
 */
export const decideAdmission = (
  { account, expected, revivableSince }: Omit<Admission, "seal">,
  earlier: Option.Option<SocialAccount>
): Result.Result<Admitted, AccountOfOtherUser | AccountMismatch> => {
  const connection = decideConnect(account, earlier, revivableSince)
  const isKept = Result.isFailure(connection) || connection.success._tag === "Revived"
  // One that was disconnected long ago is not connected again.
  const known = Option.filter(earlier, () => isKept)
  if (Option.isSome(expected) && !Option.exists(known, ({ id }) => id === expected.value)) {
    return Result.fail(new AccountMismatch({ expected: expected.value }))
  }
  if (
    Option.isSome(known) &&
    Option.getOrNull(known.value.externalUserId) !== Option.getOrNull(account.externalUserId)
  ) {
    return Result.fail(new AccountOfOtherUser({ accountId: known.value.id }))
  }
  if (Result.isSuccess(connection) && connection.success._tag !== "Revived") return Result.succeed(connection.success)
  const before = Option.getOrElse(known, () => account)
  return Result.succeed({
    _tag: Result.isSuccess(connection) ? "Revived" : "Renewed",
    account: renewed(before, account),
    events: Result.isSuccess(connection) && connection.success._tag === "Revived" ? connection.success.events : []
  })
}
