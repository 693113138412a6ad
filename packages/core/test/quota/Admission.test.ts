import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Result } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { admit, type AdmissionFacts, blockingPlace, quotaWindow } from "../../src/quota/Admission.ts"
import type { Limits } from "../../src/workspaces/Limits.ts"
import { wholeNumber } from "@loopbox/testing/fixtures/arbitraries"

const now = DateTime.makeUnsafe("2026-11-21T12:00:00.000Z")
const hour = 3_600_000

/** What a store would read at `at`, straight from the words of design §7. */
const factsAt = (
  created: ReadonlyArray<DateTime.Utc>,
  activeJobs: number,
  limits: Limits,
  at: DateTime.Utc
): AdmissionFacts => {
  const opens = DateTime.subtract(at, quotaWindow)
  const counted = created
    .filter((moment) => DateTime.isGreaterThan(moment, opens) && DateTime.isLessThanOrEqualTo(moment, at))
    .sort(DateTime.Order)
  return {
    activeJobs,
    conversions: counted.length,
    blocking: Option.flatMapNullishOr(blockingPlace(limits, counted.length), (place) => counted[place])
  }
}

/** Moments of earlier conversions, up to 30 hours back; many of them equal. */
const created = Arbitrary.map(Arbitrary.array(Arbitrary.schema(wholeNumber(0, 120)), { maxLength: 30 }), (quarters) =>
  quarters.map((quarter) => DateTime.makeUnsafe(DateTime.toEpochMillis(now) - (quarter * hour) / 4))
)

describe("admit (§8.3)", () => {
  it.prop(
    "admits exactly below both limits",
    [wholeNumber(0, 8), wholeNumber(0, 8), wholeNumber(0, 12), wholeNumber(0, 12)],
    ([activeJobs, activeLimit, conversions, rateLimit]) => {
      const verdict = admit(
        { activeJobs: activeLimit, conversionsPer24Hours: rateLimit },
        { activeJobs, conversions, blocking: Option.some(now) },
        now
      )
      assert.strictEqual(Result.isSuccess(verdict), activeJobs < activeLimit && conversions < rateLimit)
    }
  )

  it("judges capacity before the rate", () => {
    const verdict = admit(
      { activeJobs: 1, conversionsPer24Hours: 10 },
      { activeJobs: 1, conversions: 10, blocking: Option.some(now) },
      now
    )
    assert.strictEqual(Result.isFailure(verdict) ? verdict.failure._tag : "admitted", "CapacityExceeded")
  })

  it.prop(
    "says as resetAt the moment at which one more is admitted, and not a millisecond before, also after a downgrade",
    [created, wholeNumber(1, 10)],
    ([moments, conversionsPer24Hours]) => {
      const limits = { activeJobs: 1, conversionsPer24Hours }
      const verdict = admit(limits, factsAt(moments, 0, limits, now), now)
      if (Result.isSuccess(verdict)) return
      const refusal = verdict.failure
      if (refusal._tag !== "ConversionRateExceeded") return assert.fail(refusal._tag)
      const at = (moment: DateTime.Utc) => admit(limits, factsAt(moments, 0, limits, moment), moment)
      assert.isTrue(Result.isSuccess(at(refusal.resetAt)))
      assert.isTrue(Result.isFailure(at(DateTime.subtract(refusal.resetAt, { milliseconds: 1 }))))
      assert.isTrue(DateTime.isGreaterThan(refusal.resetAt, now))
    }
  )

  it("counts a conversion until it is exactly 24 hours old", () => {
    const limits = { activeJobs: 1, conversionsPer24Hours: 1 }
    const at = (millisAgo: number) =>
      admit(limits, factsAt([DateTime.subtract(now, { milliseconds: millisAgo })], 0, limits, now), now)
    assert.isTrue(Result.isFailure(at(24 * hour - 1)))
    assert.isTrue(Result.isSuccess(at(24 * hour)))
  })

  it("admits nothing under a contract of none, and promises no earlier moment than a whole window", () => {
    const verdict = admit(
      { activeJobs: 1, conversionsPer24Hours: 0 },
      { activeJobs: 0, conversions: 0, blocking: Option.none() },
      now
    )
    if (Result.isSuccess(verdict) || verdict.failure._tag !== "ConversionRateExceeded") return assert.fail("admitted")
    assert.isTrue(DateTime.isGreaterThanOrEqualTo(verdict.failure.resetAt, DateTime.add(now, quotaWindow)))
  })
})
