import { LeaseClock, makeToLeaseTime } from "@loopbox/core/kernel/lease/LeaseClock"
import { noon } from "@loopbox/testing/fixtures/activities"
import { assert, describe, it } from "@effect/vitest"
import { Clock, DateTime, Effect } from "effect"

/** A millisecond passes with each look. */
const hurrying = Effect.sync((): Clock.Clock => {
  const clock = Clock.Clock.defaultValue()
  let now = DateTime.toEpochMillis(noon)
  const look = () => now++
  return { ...clock, currentTimeMillisUnsafe: look, currentTimeMillis: Effect.sync(look) }
})

const asLeases = Effect.flatMap(makeToLeaseTime, (toLeaseTime) => toLeaseTime(noon))

describe("a moment as the clock of leases has it", () => {
  it.effect("is the same where that is the ordinary clock, however long the look took", () =>
    Effect.gen(function* () {
      const at = yield* Effect.provideServiceEffect(asLeases, Clock.Clock, hurrying)
      assert.deepStrictEqual(at, noon)
    })
  )

  it.effect("is earlier by what a test clock is ahead", () =>
    Effect.gen(function* () {
      const behind = Effect.map(DateTime.now, (now) => DateTime.subtract(now, { hours: 25 }))
      const at = yield* Effect.provideService(asLeases, LeaseClock, behind)
      assert.deepStrictEqual(at, DateTime.subtract(noon, { hours: 25 }))
    })
  )
})
