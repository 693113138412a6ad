import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { resetAt } from "../calls/retryAt.ts"
import type { Usage } from "../calls/Usage.ts"

/** X's counters: of the endpoint's 15 minutes, and of the day for the user and for the app; each is of one endpoint. */
const counters = [
  ["x-rate-limit", "account"],
  ["x-user-limit-24hour", "account"],
  ["x-app-limit-24hour", "endpoint"]
] as const

const countOf = (header: string | undefined): number | undefined =>
  header !== undefined && /^\d{1,12}$/.test(header) ? Number(header) : undefined

const most = (usages: ReadonlyArray<Usage>): ReadonlyArray<Usage> =>
  usages.toSorted((a, b) => b.used_percent - a.used_percent).slice(0, 1)

/** What X's headers say: of the account's counters the one that is used up most, and the app's, each until its reset (§2.2). */
export const xUsages = (
  headers: Readonly<Record<string, string | undefined>>,
  _endpoint: string,
  now: DateTime.Utc
): ReadonlyArray<Usage> => {
  const usages = counters.flatMap(([counter, counted]): ReadonlyArray<Usage> => {
    const limit = countOf(headers[`${counter}-limit`])
    const remaining = countOf(headers[`${counter}-remaining`])
    const until = resetAt(headers[`${counter}-reset`], now)
    if (remaining === undefined || Option.isNone(until)) return []
    if (remaining === 0) return [{ counted, used_percent: 100, until: until.value }]
    return limit === undefined || limit < remaining
      ? []
      : [{ counted, used_percent: (100 * (limit - remaining)) / limit, until: until.value }]
  })
  return [
    ...most(usages.filter(({ counted }) => counted === "account")),
    ...usages.filter(({ counted }) => counted === "endpoint")
  ]
}
