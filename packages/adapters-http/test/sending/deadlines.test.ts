import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { makeDeadlines } from "../../src/node/sending/deadlines.ts"

/** Deadlines, each with the second that it is called at. */
const noted = Effect.gen(function* () {
  const deadline = yield* makeDeadlines
  const called: Array<string> = []
  return { called, at: (name: string, seconds: number) => deadline(Duration.seconds(seconds), () => called.push(name)) }
})

describe("deadlines of attempts", () => {
  it.effect("are called at their time, in whatever order they were made, and not when they are canceled", () =>
    Effect.gen(function* () {
      const { at, called } = yield* noted
      at("late", 15)
      const cancel = at("canceled", 12)
      at("early", 2)
      yield* TestClock.adjust("1999 millis")
      assert.deepEqual(called, [])
      yield* TestClock.adjust("1 millis")
      assert.deepEqual(called, ["early"])
      at("between", 3)
      cancel()
      yield* TestClock.adjust("12 seconds")
      assert.deepEqual(called, ["early", "between"])
      yield* TestClock.adjust("1 seconds")
      assert.deepEqual(called, ["early", "between", "late"])
    })
  )

  it.effect("are called after one that failed, too", () =>
    Effect.gen(function* () {
      const deadline = yield* makeDeadlines
      const called: Array<string> = []
      deadline(Duration.seconds(1), () => {
        throw new Error("of a receiver")
      })
      deadline(Duration.seconds(1), () => called.push("at once"))
      deadline(Duration.seconds(2), () => called.push("later"))
      yield* TestClock.adjust("2 seconds")
      assert.deepEqual(called, ["at once", "later"])
    })
  )

  it.effect("are kept beside thousands that were canceled", () =>
    Effect.gen(function* () {
      const { at, called } = yield* noted
      for (let n = 0; n < 5_000; n++) {
        const cancel = at(`canceled ${n}`, 15)
        if (n % 2_000 === 0) at(`kept ${n}`, 15)
        cancel()
      }
      yield* TestClock.adjust("15 seconds")
      assert.deepEqual(called, ["kept 0", "kept 2000", "kept 4000"])
    })
  )
})
