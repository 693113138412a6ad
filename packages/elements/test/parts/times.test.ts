import { assert, describe, it } from "vitest"
import { dayName, relativeTime, shortTime } from "../../src/parts/times.ts"

const now = new Date(2026, 10, 23, 14, 30)
const before = (ms: number) => new Date(now.getTime() - ms)
const minute = 60_000

describe("shortTime", () => {
  it("tells what is near by minutes, today by the clock, and more by less", () => {
    const told = [10_000, 5 * minute, 180 * minute, 2 * 1_440 * minute, 30 * 1_440 * minute, 500 * 1_440 * minute].map(
      (ms) => shortTime(before(ms), now, "en-GB")
    )
    assert.deepStrictEqual(told, ["now", "5 mins", "11:30", "Sat", "24 Oct", "11 Jul 2025"])
  })

  it("tells it in the reader's language", () => {
    assert.strictEqual(shortTime(before(5 * minute), now, "de"), "5 Min.")
  })
})

describe("dayName", () => {
  it("counts days of the calendar, not hours", () => {
    assert.strictEqual(dayName(new Date(2026, 10, 22, 23, 59), new Date(2026, 10, 23, 0, 1), "en"), "yesterday")
    assert.strictEqual(dayName(now, now, "de"), "heute")
  })
})

describe("relativeTime", () => {
  it("tells times ahead too", () => {
    assert.strictEqual(relativeTime(before(-3 * 60 * minute), now, "en"), "in 3 hr.")
  })
})
