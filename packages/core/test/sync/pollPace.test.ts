import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration } from "effect"
import * as fc from "fast-check"
import { isRoused, pauseOf } from "../../src/sync/pollPace.ts"

const now = DateTime.makeUnsafe("2026-11-24T12:00:00.000Z")
const after = (quiet_s: number) => DateTime.add(now, { seconds: quiet_s })

const pace = fc.record({
  every: fc.integer({ min: 1, max: 86_400 }).map(Duration.seconds),
  quietFactor: fc.integer({ min: 1, max: 288 })
})
const quiet = fc.integer({ min: -3_600, max: 100 * 86_400 })

describe("The pause between two polls of an account", () => {
  it("is never shorter than the interval, and never longer than the factor allows", () => {
    fc.assert(
      fc.property(pace, quiet, (given, seconds) => {
        const pause = pauseOf(given, now, after(seconds))
        assert.isTrue(Duration.isGreaterThanOrEqualTo(pause, given.every))
        assert.isTrue(Duration.isLessThanOrEqualTo(pause, Duration.times(given.every, given.quietFactor)))
      })
    )
  })

  it("never shrinks while the account stays quiet", () => {
    fc.assert(
      fc.property(pace, quiet, quiet, (given, a, b) => {
        const [sooner, later] = [Math.min(a, b), Math.max(a, b)]
        const [first, second] = [pauseOf(given, now, after(sooner)), pauseOf(given, now, after(later))]
        assert.isTrue(Duration.isLessThanOrEqualTo(first, second))
      })
    )
  })

  it("is the interval for an account that was alive within twelve of them, and for all with a factor of 1", () => {
    fc.assert(
      fc.property(pace, quiet, (given, seconds) => {
        const isLively = seconds <= 12 * Duration.toSeconds(given.every)
        const used = isLively ? given : { ...given, quietFactor: 1 }
        assert.strictEqual(Duration.toMillis(pauseOf(used, now, after(seconds))), Duration.toMillis(given.every))
      })
    )
  })

  it("doubles the age of a quiet account in no less than twelve polls", () => {
    fc.assert(
      fc.property(pace, fc.integer({ min: 1, max: 86_400 }), (given, seconds) => {
        let at = after(seconds)
        const end = after(2 * seconds + 13 * Duration.toSeconds(given.every))
        let polls = 0
        for (; DateTime.isLessThan(at, end); polls++) at = DateTime.addDuration(at, pauseOf(given, now, at))
        assert.isAtLeast(polls, 8)
      })
    )
  })

  it("is broken by news once in an interval", () => {
    const life = { aliveAt: now, every: Duration.minutes(5) }
    assert.deepStrictEqual(
      [isRoused(undefined, now), isRoused(life, after(300)), isRoused(life, after(301))],
      [false, false, true]
    )
  })
})
