import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { AccountAlreadyConnected } from "../accounts/AccountErrors.ts"
import { type AccountStatus, SocialAccount } from "../accounts/SocialAccount.ts"
import type { AccountChange } from "../accounts/SocialAccounts.ts"
import type { SocialAccountId } from "../kernel/Ids.ts"
import type { InboxEvent } from "./InboxEvent.ts"

/** What a store writes for a change of an account, in one transaction. */
export interface AccountDecision {
  readonly account: SocialAccount
  readonly events: ReadonlyArray<InboxEvent>
}

/** The event for the old and the new owner of an account. */
const moved = (
  accountId: SocialAccountId,
  from: Option.Option<string>,
  to: Option.Option<string>
): ReadonlyArray<InboxEvent> => [{ _tag: "AccountMoved", accountId, from, to }]

const statusAfter = (status: AccountStatus, change: AccountChange): AccountStatus =>
  change.credentials !== undefined && status === "reauth_required" ? "connected" : status

/** Changes an account that is not disconnected. Only a new owner causes an event, for the old and the new one. */
export const decideAccountChange = (before: SocialAccount, change: AccountChange): AccountDecision => {
  const account = new SocialAccount({
    ...before,
    // Another token may be of another app, which has another id of the account.
    otherAccountId: change.credentials === undefined ? before.otherAccountId : Option.none(),
    name: change.name ?? before.name,
    username: change.username ?? before.username,
    avatarUrl: change.avatarUrl ?? before.avatarUrl,
    externalUserId: change.externalUserId ?? before.externalUserId,
    permissions: change.permissions ?? before.permissions,
    tokenExpiresAt: change.credentials?.expiresAt ?? before.tokenExpiresAt,
    status: statusAfter(before.status, change)
  })
  const [from, to] = [before.externalUserId, account.externalUserId]
  return { account, events: Option.getOrNull(from) === Option.getOrNull(to) ? [] : moved(account.id, from, to) }
}

/** Disconnects an account: its items are hidden, so its owner must reload. */
export const decideDisconnect = (before: SocialAccount, at: DateTime.Utc): AccountDecision => ({
  account: new SocialAccount({ ...before, status: "disconnected", disconnectedAt: Option.some(at) }),
  events: moved(before.id, before.externalUserId, Option.none())
})

/**
 * How an account is connected.
 *
 * - `New`: the workspace has no row of this network account
 * - `Revived`: an account disconnected recently is connected again, with its id and its items
 * - `Replaced`: an account disconnected longer ago is erased first
 */
export type Connection =
  | { readonly _tag: "New"; readonly account: SocialAccount }
  | ({ readonly _tag: "Revived" } & AccountDecision)
  | { readonly _tag: "Replaced"; readonly account: SocialAccount; readonly erased: SocialAccountId }

/** Connects an account, given the workspace's existing row of the same network account. */
export const decideConnect = (
  account: SocialAccount,
  earlier: Option.Option<SocialAccount>,
  revivableSince: DateTime.Utc
): Result.Result<Connection, AccountAlreadyConnected> => {
  if (Option.isNone(earlier)) return Result.succeed({ _tag: "New", account })
  const { createdAt, disconnectedAt, externalUserId, id, status } = earlier.value
  if (status !== "disconnected") return Result.fail(new AccountAlreadyConnected({ accountId: id }))
  if (!Option.exists(disconnectedAt, (at) => DateTime.isGreaterThan(at, revivableSince))) {
    return Result.succeed({ _tag: "Replaced", account, erased: id })
  }
  // An event even if the owner is the same, because its items become visible again.
  const events = moved(id, externalUserId, account.externalUserId)
  return Result.succeed({ _tag: "Revived", account: new SocialAccount({ ...account, id, createdAt }), events })
}

/** The events of erased accounts. They do not name the owner, which is erased, too. */
export const accountsErased = (ids: ReadonlyArray<SocialAccountId>): ReadonlyArray<InboxEvent> =>
  ids.flatMap((id) => moved(id, Option.none(), Option.none()))
