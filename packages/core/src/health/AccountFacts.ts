import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { AccountHealth } from "../accounts/AccountHealth.ts"
import { AccountStatus, type SocialAccount } from "../accounts/SocialAccount.ts"
import type { PollFailure } from "../sync/PollFacts.ts"

/** A failed attempt to subscribe, or to read a subscription back. */
const SubscriptionFailure = Schema.Struct({
  networkCode: Schema.Option(Schema.String),
  retryAt: Schema.DateTimeUtc,
  /** How many in a row. */
  count: Schema.Int
})

/**
 * The webhooks of one account at its network, as they were last seen.
 *
 * - `unknown`: not looked at yet
 * - `none`: the network has no call for it
 * - `missing`: there is none, and making one failed
 */
export const SubscriptionFacts = Schema.Struct({
  state: Schema.Literals(["unknown", "subscribed", "missing", "none"]),
  /**
   * Since when webhooks should come: it is known to be `subscribed`, or there is nothing to subscribe and they come for
   * the whole app.
   */
  since: Schema.Option(Schema.DateTimeUtc),
  failure: Schema.Option(SubscriptionFailure)
})
export type SubscriptionFacts = typeof SubscriptionFacts.Type

/** Why a check could not ask who the account is. */
const InspectionFailure = Schema.Struct({
  code: Schema.Literals(["rate_limited", "permission_missing", "network_unavailable"]),
  networkCode: Schema.Option(Schema.String),
  missingPermissions: Schema.Array(Schema.String),
  retryAt: Schema.DateTimeUtc
})

/** What the checks of an account found. */
export const CheckFacts = Schema.Struct({
  subscription: SubscriptionFacts,
  /** When the network is asked next who the account is; absent before the first time, which is due at once. */
  nextAt: Schema.Option(Schema.DateTimeUtc),
  failure: Schema.Option(InspectionFailure),
  /** Who gave the token wants no checks: its network is asked nothing by itself, until somebody checks the account. */
  isLeftAlone: Schema.optionalKey(Schema.Literal(true))
})
export type CheckFacts = typeof CheckFacts.Type

/** Before the first check. */
export const unchecked: CheckFacts = {
  subscription: { state: "unknown", since: Option.none(), failure: Option.none() },
  nextAt: Option.none(),
  failure: Option.none()
}

/** Before the first check of new credentials. */
export const uncheckedAs = (isLeftAlone: boolean): CheckFacts =>
  isLeftAlone ? { ...unchecked, isLeftAlone: true } : unchecked

/** The health that was announced last, with the status that the account had. */
export const ToldHealth = Schema.Struct({ status: AccountStatus, health: AccountHealth })
export type ToldHealth = typeof ToldHealth.Type

/** What is known of an account beside its row: stored where it arises, judged by `judgeHealth`. */
export interface AccountFacts {
  readonly checks: CheckFacts
  /** To the minute. */
  readonly lastWebhookAt: Option.Option<DateTime.Utc>
  /** When polls found items that are newer than the subscription: the last three since the last webhook. */
  readonly foundAt: ReadonlyArray<DateTime.Utc>
  readonly lastPollAt: Option.Option<DateTime.Utc>
  /** Of the last poll. */
  readonly pollFailures: ReadonlyArray<PollFailure>
  /** When its token is renewed next; absent if no machine can renew it. */
  readonly renewAt: Option.Option<DateTime.Utc>
  /** Absent before anything was announced. */
  readonly told: Option.Option<ToldHealth>
}

/** An account with everything that its health depends on. */
export interface KnownAccount {
  readonly account: SocialAccount
  readonly facts: AccountFacts
}

/** What is known of an account that was connected just now. */
export const newFacts: AccountFacts = {
  checks: unchecked,
  lastWebhookAt: Option.none(),
  foundAt: [],
  lastPollAt: Option.none(),
  pollFailures: [],
  renewAt: Option.none(),
  told: Option.none()
}
