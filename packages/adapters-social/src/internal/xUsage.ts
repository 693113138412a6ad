import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { resetAt } from "./retryAt.ts"
import type { Usage } from "./Usage.ts"

/** X's counters: of the endpoint's 15 minutes, and of the day for the user and for the app. */
const counters = ["x-rate-limit", "x-user-limit-24hour", "x-app-limit-24hour"]

const countOf = (header: string | undefined): number | undefined =>
  header !== undefined && /^\d{1,12}$/.test(header) ? Number(header) : undefined

/** What X's headers say: the counter that is used up most, until its reset (social-networks.md §2.2). */
export const xUsage = (
  headers: Readonly<Record<string, string | undefined>>,
  _endpoint: string,
  now: DateTime.Utc
): Option.Option<Usage> => {
  const usages = counters.flatMap((counter): ReadonlyArray<Usage> => {
    const limit = countOf(headers[`${counter}-limit`])
    const remaining = countOf(headers[`${counter}-remaining`])
    const until = resetAt(headers[`${counter}-reset`], now)
    if (remaining === undefined || Option.isNone(until)) return []
    if (remaining === 0) return [{ used_percent: 100, until: until.value }]
    return limit === undefined || limit < remaining
      ? []
      : [{ used_percent: (100 * (limit - remaining)) / limit, until: until.value }]
  })
  const [most] = usages.toSorted((a, b) => b.used_percent - a.used_percent)
  return Option.fromUndefinedOr(most)
}
