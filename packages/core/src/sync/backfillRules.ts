import * as Option from "effect/Option"
import type { BackfillInput } from "./SyncRun.ts"

/** The smallest and the largest page size of X. */
export const smallestPage = 5
const largestPage = 100

/** The default bounds of a backfill, per account (api.md §3). */
export const defaultBackfill = { lookbackDays: 7, maxItems: 20 } as const

/** The largest number of posts that X may charge for. */
export const estimateReads = (accounts: number, { maxItems }: Pick<BackfillInput, "maxItems">): number =>
  accounts * Math.max(smallestPage, maxItems)

/** Size of the next page, so that the pages add up to `remaining` and none is below the minimum. */
export const pageLimit = (remaining: number): number =>
  remaining <= largestPage ? Math.max(smallestPage, remaining) : Math.min(largestPage, remaining - smallestPage)

/** Whether two inputs with all defaults are equal. */
export const isSameBackfill = (a: BackfillInput, b: BackfillInput): boolean =>
  Option.getOrNull(a.accountId) === Option.getOrNull(b.accountId) &&
  a.lookbackDays === b.lookbackDays &&
  a.maxItems === b.maxItems
