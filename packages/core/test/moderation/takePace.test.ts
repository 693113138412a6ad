import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration } from "effect"
import * as fc from "fast-check"
import { noon } from "@loopbox/testing/fixtures/activities"
import { takePace } from "../../src/moderation/takePace.ts"

const pace = { most: 50, within: Duration.seconds(5) }

describe("the pace of an action", () => {
  it("lets at most so many through within any stretch of its time, whenever they come", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 300 }), (pauses) => {
        let taken: ReadonlyArray<DateTime.Utc> = []
        let now = noon
        const through: Array<number> = []
        for (const pause of pauses) {
          now = DateTime.add(now, { milliseconds: pause })
          const outcome = takePace(taken, pace, now)
          if (outcome._tag === "Wait") {
            assert.isTrue(DateTime.isGreaterThan(outcome.until, now))
            continue
          }
          taken = outcome.taken
          through.push(DateTime.toEpochMillis(now))
        }
        through.forEach((at, i) => {
          const later = through[i + pace.most]
          if (later !== undefined) assert.isAtLeast(later - at, 5_000)
        })
      })
    )
  })
})
