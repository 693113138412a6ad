import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Limits } from "../workspaces/Limits.ts"
import { CapacityExceeded, ConversionRateExceeded } from "./QuotaErrors.ts"

/**
 * The window of the conversion limit: conversions accepted after now − 24 hours.
 *
 * It has no upper end: a submit that waited for the workspace's lock has an earlier time than rows stored meanwhile,
 * and those count, too.
 */
export const quotaWindow = { hours: 24 } as const

/** What a store counts, under the workspace's lock, before it adds a job. */
export interface AdmissionFacts {
  /** Queued and processing jobs of all kinds. */
  readonly activeJobs: number
  /** Conversions accepted in the window, whatever their outcome. */
  readonly conversions: number
  /**
   * When the conversion at `blockingPlace` was accepted: the (conversions − limit + 1)-th oldest, which must leave the
   * window before another is admitted. This is also right after a downgrade, when more were used than the new limit
   * allows.
   */
  readonly blocking: Option.Option<DateTime.Utc>
}

/**
 * The index, among the window's conversions with the oldest first, of the one that a store reads for `blocking`; `none`
 * while the limit is not reached, and if it is 0.
 */
export const blockingPlace = ({ conversionsPer24Hours: limit }: Limits, conversions: number): Option.Option<number> =>
  limit > 0 && conversions >= limit ? Option.some(conversions - limit) : Option.none()

/**
 * When another conversion is admitted, where the rate is what refuses it: `none` while one is admitted now, and where the
 * limit is 0, for then none ever is.
 */
export const nextAdmission = ({ blocking }: Pick<AdmissionFacts, "blocking">): Option.Option<DateTime.Utc> =>
  Option.map(blocking, (accepted) => DateTime.add(accepted, quotaWindow))

/** Whether another media job of any kind may start beside those that are active. */
export const admitActive = (
  limits: Limits,
  { activeJobs }: Pick<AdmissionFacts, "activeJobs">
): Result.Result<void, CapacityExceeded> =>
  activeJobs >= limits.activeJobs
    ? Result.fail(new CapacityExceeded({ limit: limits.activeJobs }))
    : Result.succeed(undefined)

/** Whether another conversion may start. Capacity is checked before the rate (api.md §6, rows 11 and 12). */
export const admit = (
  limits: Limits,
  facts: AdmissionFacts,
  now: DateTime.Utc
): Result.Result<void, CapacityExceeded | ConversionRateExceeded> => {
  const capacity = admitActive(limits, facts)
  if (Result.isFailure(capacity)) return capacity
  if (facts.conversions < limits.conversionsPer24Hours) return Result.succeed(undefined)
  return Result.fail(
    new ConversionRateExceeded({
      limit: limits.conversionsPer24Hours,
      resetAt: Option.getOrElse(nextAdmission(facts), () => DateTime.add(now, quotaWindow))
    })
  )
}
