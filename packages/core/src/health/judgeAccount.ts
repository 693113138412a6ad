import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type { NetworkTable } from "../networks/Networks.ts"
import type { KnownAccount } from "./AccountFacts.ts"
import type { Verdict } from "./AccountHealthStore.ts"
import { announceHealth } from "./announceHealth.ts"
import { nextChange } from "./judgeHealth.ts"

/** What a look could not settle is not looked at again at once. */
const leastPause = Duration.minutes(1)

/** When an account is looked at next: the next check, the next renewal of its token, or a change by time. */
const dueAt = (known: KnownAccount, now: DateTime.Utc): Option.Option<DateTime.Utc> => {
  const { checks, renewAt } = known.facts
  if (known.account.status !== "connected") return Option.none()
  const retry = Option.map(checks.subscription.failure, (failure) => failure.retryAt)
  const checked = checks.isLeftAlone === true ? [] : [Option.orElse(checks.nextAt, () => Option.some(now)), retry]
  const times = [...checked, renewAt, nextChange(known, now)].flatMap(Option.toArray)
  const next = Option.fromUndefinedOr(times.toSorted(DateTime.Order)[0])
  return Option.map(next, (at) => DateTime.max(at, DateTime.addDuration(now, leastPause)))
}

/** What follows from all facts of an account now. Pure. */
export const judgeAccount =
  (networks: NetworkTable, now: DateTime.Utc) =>
  (known: KnownAccount): Verdict => ({ ...announceHealth(networks, known, now), dueAt: dueAt(known, now) })
