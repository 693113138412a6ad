import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import type { OpenAccount } from "../accounts/AccountTokens.ts"
import { isFor, type SocialAccount } from "../accounts/SocialAccount.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { AuthExpired, type ReadFailed } from "../networks/ConnectorErrors.ts"
import type { AccountInspection, NetworkConnect, WebhookSubscription } from "../networks/NetworkConnect.ts"
import type { SocialConnector } from "../networks/SocialConnector.ts"
import type { CheckFacts, KnownAccount, SubscriptionFacts } from "./AccountFacts.ts"
import type { CheckedNames, CheckNotes } from "./AccountHealthStore.ts"
import { quietUntil } from "./judgeHealth.ts"

/** What is asked in one check. */
export interface CheckPlan {
  /** Who the account is, and what its token may do. */
  readonly inspects: boolean
  /** Whether its webhooks are subscribed. */
  readonly subscribes: boolean
}

/** A check with its outcome; `failure`: why the network could not be asked who the account is. */
export interface Checked {
  readonly notes: CheckNotes
  readonly failure: Option.Option<ReadFailed>
}

/** Pause after a failed call: 1, 2, 4 … minutes, at most an hour; the network's own time if it is later. */
const pauseAfter = (count: number): Duration.Duration => Duration.minutes(Math.min(2 ** Math.min(count, 6), 60))

const retryAt = (failure: ReadFailed, count: number, now: DateTime.Utc): DateTime.Utc => {
  const own = DateTime.addDuration(now, pauseAfter(count))
  const told = "retryAt" in failure ? failure.retryAt : Option.none<DateTime.Utc>()
  return Option.match(told, { onNone: () => own, onSome: (at) => DateTime.max(at, own) })
}

const isPast = (at: Option.Option<DateTime.Utc>, now: DateTime.Utc): boolean =>
  Option.exists(at, (one) => DateTime.isLessThanOrEqualTo(one, now))

/** Whether a problem is seen in the facts that was not announced before, so that a check may tell its cause. */
const isNew = ({ facts }: KnownAccount, code: "permission_missing" | "webhook_quiet"): boolean =>
  !Option.exists(facts.told, ({ health }) => health.problems.some((one) => one.code === code))

/**
 * What is due to be asked of an account now; nothing of one that is not connected, or is to be left alone. A poll that lacks a permission, and
 * webhooks that are quiet, are looked into at once. Pure.
 */
export const planCheck = (known: KnownAccount, now: DateTime.Utc): CheckPlan => {
  const { checks, pollFailures } = known.facts
  if (known.account.status !== "connected" || checks.isLeftAlone === true) return { inspects: false, subscribes: false }
  const lacks = pollFailures.some(({ code }) => code === "permission_missing") && isNew(known, "permission_missing")
  const isQuiet = Option.isSome(quietUntil(known.facts)) && isNew(known, "webhook_quiet")
  const inspects = Option.isNone(checks.nextAt) || isPast(checks.nextAt, now) || lacks
  const retry = Option.map(checks.subscription.failure, (failure) => failure.retryAt)
  return { inspects, subscribes: inspects || isQuiet || isPast(retry, now) }
}

/** The part of the connector that fits how the account was connected; a token of an operator is of the first. */
export const connectOf = ({ connect }: SocialConnector, { login }: SocialAccount): NetworkConnect | undefined =>
  connect?.find((one) => Option.contains(login, one.login)) ?? connect?.[0]

const codeOf = (failure: ReadFailed): "rate_limited" | "permission_missing" | "network_unavailable" => {
  if (failure._tag === "RateLimited") return "rate_limited"
  const isLost = failure._tag === "AuthExpired" || (failure._tag === "Rejected" && failure.reason === "gone")
  return isLost ? "permission_missing" : "network_unavailable"
}

/** The token of another account is as good as none: nothing of what it reads is this account's. */
const isOther = ({ networkAccountId, otherAccountId }: SocialAccount, { ids }: AccountInspection): boolean =>
  !ids.includes(networkAccountId) && !Option.exists(otherAccountId, (id) => ids.includes(id))

const readSubscription = Effect.fnUntraced(function* (
  account: OpenAccount,
  webhooks: WebhookSubscription,
  before: SubscriptionFacts
): Effect.fn.Return<SubscriptionFacts, StoreUnavailable> {
  const now = yield* DateTime.now
  const failed = (state: SubscriptionFacts["state"]) => (failure: ReadFailed | StoreUnavailable) => {
    if (failure._tag === "StoreUnavailable") return Effect.fail(failure)
    const count = Option.match(before.failure, { onNone: () => 0, onSome: (one) => one.count + 1 })
    const told = { networkCode: failure.networkCode, retryAt: retryAt(failure, count, now), count }
    const since = state === "subscribed" ? before.since : Option.none<DateTime.Utc>()
    return Effect.succeed<SubscriptionFacts>({ state, since, failure: Option.some(told) })
  }
  const subscribed = (since: Option.Option<DateTime.Utc>): SubscriptionFacts => ({
    state: "subscribed",
    since: Option.orElse(since, () => Option.some(now)),
    failure: Option.none()
  })
  return yield* Effect.matchEffect(account.use(webhooks.isSubscribed), {
    onFailure: failed(before.state),
    onSuccess: (isThere) =>
      isThere
        ? Effect.succeed(subscribed(before.state === "subscribed" ? before.since : Option.none()))
        : Effect.matchEffect(account.use(webhooks.subscribe), {
            onFailure: failed("missing"),
            onSuccess: () => Effect.succeed(subscribed(Option.none()))
          })
  })
})

/** The network has no call for it; webhooks may come all the same, from the first look on. */
const withoutCall = (
  part: NetworkConnect | undefined,
  { since, state }: SubscriptionFacts,
  now: DateTime.Utc
): SubscriptionFacts => {
  const known = state === "none" ? since : Option.none<DateTime.Utc>()
  const heardSince = part?.hearsByApp === true ? Option.orElse(known, () => Option.some(now)) : Option.none()
  return { state: "none", since: heardSince, failure: Option.none() }
}

/** The name that an operator gave with a token stays; that of an account which a person connected is the network's. */
const namesOf =
  (account: SocialAccount) =>
  ({ avatarUrl, name, username }: AccountInspection): CheckedNames => {
    const told = Option.getOrElse(name, () => account.name)
    return { name: Option.isSome(account.login) ? told : account.name, username, avatarUrl }
  }

/** An account that is not connected for the inbox has no webhooks to wait for. */
const notWanted: SubscriptionFacts = { state: "none", since: Option.none(), failure: Option.none() }

/**
 * Asks a network what is due of one account, and subscribes its webhooks if the account is for the inbox and they are
 * not subscribed. A token that is due is renewed on the way; a dead one, or one of another account, makes the account
 * `reauth_required` (`OpenAccount.use`).
 */
export const checkAccount = Effect.fnUntraced(function* (
  account: OpenAccount,
  part: NetworkConnect | undefined,
  { inspects, subscribes }: CheckPlan,
  before: CheckFacts,
  every: Duration.Duration
): Effect.fn.Return<Checked, StoreUnavailable> {
  const now = yield* DateTime.now
  const inspected = inspects ? yield* inspect(account, part) : { found: Option.none(), failure: Option.none() }
  const { failure } = inspected
  // With a dead token the next call would say the same.
  const isDead = Option.exists(failure, (one) => one._tag === "AuthExpired" && one.reason === "token")
  const subscription = !isFor(account.account, "inbox")
    ? notWanted
    : part === undefined || Option.isNone(part.subscription)
      ? withoutCall(part, before.subscription, now)
      : subscribes && !isDead
        ? yield* readSubscription(account, part.subscription.value, before.subscription)
        : before.subscription
  if (!inspects) {
    return { notes: { checks: { ...before, subscription }, permissions: Option.none(), names: Option.none() }, failure }
  }
  const pause = Duration.times(every, yield* Random.nextBetween(0.9, 1.1))
  const checks: CheckFacts = Option.match(failure, {
    onNone: () => ({ subscription, nextAt: Option.some(DateTime.addDuration(now, pause)), failure: Option.none() }),
    onSome: (one) => {
      const again = retryAt(one, 3, now)
      const missingPermissions = one._tag === "AuthExpired" ? one.missingScopes : []
      const told = { code: codeOf(one), networkCode: one.networkCode, missingPermissions, retryAt: again }
      return { subscription, nextAt: Option.some(again), failure: isDead ? Option.none() : Option.some(told) }
    }
  })
  const permissions = Option.flatMap(inspected.found, (found) => found.permissions)
  return { notes: { checks, permissions, names: Option.map(inspected.found, namesOf(account.account)) }, failure }
})

const inspect = (account: OpenAccount, part: NetworkConnect | undefined) =>
  account
    .use((access) =>
      part === undefined
        ? Effect.succeedNone
        : Effect.flatMap(part.inspect(access), (found) =>
            isOther(account.account, found) ? Effect.fail(ofOther(account.account)) : Effect.succeedSome(found)
          )
    )
    .pipe(
      Effect.map((found) => ({ found, failure: Option.none<ReadFailed>() })),
      Effect.catch((failure) =>
        failure._tag === "StoreUnavailable"
          ? Effect.fail(failure)
          : Effect.succeed({ found: Option.none<AccountInspection>(), failure: Option.some(failure) })
      )
    )

const ofOther = ({ network }: SocialAccount) =>
  new AuthExpired({
    network,
    networkCode: Option.none(),
    detail: "the token is of another account",
    reason: "token",
    missingScopes: []
  })
