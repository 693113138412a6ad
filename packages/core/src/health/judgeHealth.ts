import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import { type AccountHealth, type AccountProblem, type HealthStatus, ProblemCode } from "../accounts/AccountHealth.ts"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import type { AccountFacts, KnownAccount } from "./AccountFacts.ts"

/** How long before its end a token that nobody can renew is a problem (api-2.md §11). */
const endsSoon = Duration.days(7)

/** Webhooks are quiet when polls found so many items within this time that no webhook brought (api-2.md §11). */
export const quietAfter = 3
const quietWithin = Duration.hours(24)

/** A webhook is noted once a minute, so that what a poll finds within a minute may have had one, too. */
const noted = Duration.minutes(1)

/** Problems with which nothing arrives or nothing can be sent. */
const breaking: ReadonlySet<ProblemCode> = new Set<ProblemCode>(["reconnect_required", "plan_excludes"])

type Found = Partial<Omit<AccountProblem, "code" | "since">>
type FoundProblems = Partial<Record<ProblemCode, Found>>

/**
 * The permissions that were asked for when it was connected, and that its token does not have. An empty list says
 * nothing: a network may not tell what it granted.
 */
export const missingPermissionsOf = ({
  permissions,
  requestedPermissions
}: Pick<SocialAccount, "permissions" | "requestedPermissions">): ReadonlyArray<string> =>
  permissions.length === 0 ? [] : requestedPermissions.filter((name) => !permissions.includes(name))

/** Whether webhooks are quiet, until when, if nothing else comes. */
export const quietUntil = ({ checks, foundAt, lastWebhookAt }: AccountFacts): Option.Option<DateTime.Utc> => {
  if (Option.isNone(checks.subscription.since)) return Option.none()
  const unheard = foundAt
    .filter((at) => !Option.exists(lastWebhookAt, (heard) => isBefore(at, DateTime.addDuration(heard, noted))))
    .toSorted(DateTime.Order)
  const [first, last] = [unheard[unheard.length - quietAfter], unheard[unheard.length - 1]]
  if (first === undefined || last === undefined) return Option.none()
  return isBefore(last, DateTime.addDuration(first, quietWithin))
    ? Option.some(DateTime.addDuration(last, quietWithin))
    : Option.none()
}

/** From when on the end of the token is a problem; `none` if a machine renews it, or it has no end. */
const soonFrom = ({ tokenExpiresAt }: SocialAccount, { renewAt }: AccountFacts): Option.Option<DateTime.Utc> =>
  Option.isSome(renewAt) ? Option.none() : Option.map(tokenExpiresAt, (end) => DateTime.subtractDuration(end, endsSoon))

const isBefore = (one: DateTime.Utc, other: DateTime.Utc): boolean => DateTime.isLessThanOrEqualTo(one, other)

const ofSubscription = ({ checks: { subscription } }: AccountFacts): FoundProblems => {
  const { failure, state } = subscription
  if (Option.isNone(failure) || state === "subscribed" || state === "none") return {}
  const { networkCode, retryAt } = failure.value
  return { webhook_not_subscribed: { networkCode, retryAt: Option.some(retryAt) } }
}

/** What the last check and the last poll met; the poll, which is the younger one as a rule, comes last. */
const ofCalls = ({ checks, pollFailures }: AccountFacts): FoundProblems => {
  const found: FoundProblems = {}
  if (Option.isSome(checks.failure)) {
    const { code, missingPermissions, networkCode, retryAt } = checks.failure.value
    found[code] = { missingPermissions, networkCode, retryAt: Option.some(retryAt) }
  }
  for (const { code, retryAt } of pollFailures) found[code] = { ...found[code], retryAt }
  return found
}

const problemsOf = ({ account, facts }: KnownAccount, now: DateTime.Utc): FoundProblems => {
  if (account.status === "disconnected") return {}
  const missing = missingPermissionsOf(account)
  const scopes: FoundProblems = missing.length > 0 ? { missing_scopes: { missingPermissions: missing } } : {}
  // What else was seen with a dead token says nothing of the next one.
  if (account.status === "reauth_required") return { reconnect_required: {}, ...scopes }
  const isQuiet = Option.exists(quietUntil(facts), (until) => DateTime.isGreaterThan(until, now))
  const isSoon = Option.exists(soonFrom(account, facts), (from) => isBefore(from, now))
  return {
    ...scopes,
    ...ofSubscription(facts),
    ...(isQuiet ? { webhook_quiet: {} } : {}),
    ...ofCalls(facts),
    ...(isSoon ? { expires_soon: {} } : {})
  }
}

const statusOf = (problems: ReadonlyArray<AccountProblem>): HealthStatus => {
  if (problems.length === 0) return "ok"
  return problems.some(({ code }) => breaking.has(code)) ? "broken" : "degraded"
}

/**
 * How well an account is now, by what is stored of it. Pure.
 *
 * `broken` if it must be connected again or the plan leaves it out: nothing arrives, or nothing can be sent. `degraded`
 * with any other problem. A disconnected account has none. `since` is kept from `previous` while a problem lasts.
 */
export const judgeHealth = (
  known: KnownAccount,
  now: DateTime.Utc,
  previous: Option.Option<AccountHealth>
): AccountHealth => {
  const found = problemsOf(known, now)
  const sinceOf = (code: ProblemCode) =>
    Option.flatMap(previous, ({ problems }) => Option.fromUndefinedOr(problems.find((one) => one.code === code))).pipe(
      Option.match({ onNone: () => now, onSome: ({ since }) => since })
    )
  const problems = ProblemCode.literals.flatMap((code): ReadonlyArray<AccountProblem> => {
    const one = found[code]
    if (one === undefined) return []
    const { missingPermissions = [], networkCode = Option.none(), retryAt = Option.none() } = one
    return [{ code, since: sinceOf(code), retryAt, missingPermissions, networkCode }]
  })
  const { lastPollAt, lastWebhookAt } = known.facts
  return { status: statusOf(problems), problems, lastWebhookAt, lastPollAt }
}

/** When the judgement changes by itself, if nothing is learned until then. */
export const nextChange = ({ account, facts }: KnownAccount, now: DateTime.Utc): Option.Option<DateTime.Utc> => {
  const times = [...Option.toArray(soonFrom(account, facts)), ...Option.toArray(quietUntil(facts))]
  return Option.fromUndefinedOr(times.filter((at) => DateTime.isGreaterThan(at, now)).toSorted(DateTime.Order)[0])
}
