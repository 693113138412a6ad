import * as Option from "effect/Option"
import type { BackfillInput } from "./SyncRun.ts"

/** X takes no smaller page, and gives no larger one. */
export const smallestPage = 5
const largestPage = 100

/** What of each account is read if no more is said (api.md §3). */
export const defaultBackfill = { lookbackDays: 7, maxItems: 20 } as const

/** Posts that X will charge for at most. */
export const estimateReads = (accounts: number, { maxItems }: Pick<BackfillInput, "maxItems">): number =>
  accounts * Math.max(smallestPage, maxItems)

/** How large the next page is asked, so that the pages come to `remaining` and none is too small. */
export const pageLimit = (remaining: number): number =>
  remaining <= largestPage ? Math.max(smallestPage, remaining) : Math.min(largestPage, remaining - smallestPage)

/** Whether two inputs, their defaults filled in, are the same. */
export const isSameBackfill = (a: BackfillInput, b: BackfillInput): boolean =>
  Option.getOrNull(a.accountId) === Option.getOrNull(b.accountId) &&
  a.lookbackDays === b.lookbackDays &&
  a.maxItems === b.maxItems
