import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Limits } from "./Limits.ts"
import { CapacityExceeded, ConversionRateExceeded } from "./QuotaErrors.ts"

/**
 * The window of the conversions' limit: what was accepted after now − 24 hours.
 *
 * It is open towards the future: a submit that waited for the workspace's lock took its time before those that are
 * stored by now, and they count all the same.
 */
export const quotaWindow = { hours: 24 } as const

/** What a store counts, under the workspace's lock, before one more job. */
export interface AdmissionFacts {
  /** Queued and processing jobs of all kinds. */
  readonly activeJobs: number
  /** Conversions accepted in the window, whatever became of them. */
  readonly conversions: number
  /**
   * When the (conversions − limit + 1)-th oldest of them was accepted: the one that must leave the window before
   * one more is admitted. Also right after a downgrade, where more were used than the new limit allows. Absent
   * while the limit is not reached, and where the limit is 0.
   */
  readonly blocking: Option.Option<DateTime.Utc>
}

/** May one more conversion start? Capacity is judged before the rate (api.md §6, rows 11 and 12). */
export const admit = (
  limits: Limits,
  facts: AdmissionFacts,
  now: DateTime.Utc
): Result.Result<void, CapacityExceeded | ConversionRateExceeded> => {
  if (facts.activeJobs >= limits.activeJobs) return Result.fail(new CapacityExceeded({ limit: limits.activeJobs }))
  if (facts.conversions < limits.conversionsPer24Hours) return Result.succeed(undefined)
  return Result.fail(
    new ConversionRateExceeded({
      limit: limits.conversionsPer24Hours,
      resetAt: DateTime.add(
        Option.getOrElse(facts.blocking, () => now),
        quotaWindow
      )
    })
  )
}
