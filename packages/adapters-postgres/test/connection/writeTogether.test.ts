import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Option, Scheduler } from "effect"
import { makeWriteTogether } from "../../src/connection/writeTogether.ts"

/** Writes that wait to be let go on, each with what it wrote. */
const makeWrites = Effect.gen(function* () {
  const written: Array<ReadonlyArray<number>> = []
  const goOn = yield* Deferred.make<void>()
  const write = (_: string, items: ReadonlyArray<number>) =>
    Effect.suspend(() => {
      written.push(items)
      const isRefused = items.includes(13)
      return Effect.andThen(
        Deferred.await(goOn),
        isRefused ? Effect.fail("refused") : Effect.succeed(items.map((item) => item * 2))
      )
    })
  return { written, goOn, write }
})

describe("Writing together", () => {
  it.effect("writes in one go what comes at a time, or while it is writing, and gives each call its own results", () =>
    Effect.gen(function* () {
      const { goOn, write, written } = yield* makeWrites
      const call = makeWriteTogether(write, 3)
      const calls = yield* Effect.forEach([[1], [2, 3], [4], [5], [6]], (items) =>
        Effect.forkChild(call("a", items), { startImmediately: true })
      )
      yield* Effect.yieldNow
      assert.deepStrictEqual(written, [[1, 2, 3, 4]])
      yield* Deferred.succeed(goOn, undefined)
      assert.deepStrictEqual(yield* Effect.forEach(calls, Fiber.join), [[2], [4, 6], [8], [10], [12]])
      assert.deepStrictEqual(written, [
        [1, 2, 3, 4],
        [5, 6]
      ])
      assert.deepStrictEqual(yield* call("a", [7]), [14])
    })
  )

  it.effect("lets no key wait for another, and tells a failure to those only who were written with it", () =>
    Effect.gen(function* () {
      const { goOn, write, written } = yield* makeWrites
      const call = makeWriteTogether(write, 1)
      const start = (key: string, items: ReadonlyArray<number>) =>
        Effect.forkChild(Effect.exit(call(key, items)), { startImmediately: true })
      const calls = [yield* start("a", [13]), yield* start("b", [1]), yield* start("a", [2])]
      yield* Effect.yieldNow
      assert.deepStrictEqual(written, [[13], [1]])
      yield* Deferred.succeed(goOn, undefined)
      assert.deepStrictEqual(yield* Effect.forEach(calls, Fiber.join), [
        Exit.fail("refused"),
        Exit.succeed([2]),
        Exit.succeed([4])
      ])
    })
  )

  it.live("goes on for a key, wherever a call is interrupted", () =>
    Effect.gen(function* () {
      for (let operations = 4; operations <= 40; operations++) {
        for (let turns = 0; turns < 6; turns++) {
          const call = makeWriteTogether((_, items: ReadonlyArray<number>) => Effect.succeed(items), 8)
          // The fiber gives way after so many steps, and is interrupted there.
          const first = yield* Effect.forkChild(
            Effect.provideService(call("a", [1]), Scheduler.MaxOpsBeforeYield, operations)
          )
          for (let turn = 0; turn < turns; turn++) yield* Effect.yieldNow
          yield* Fiber.interrupt(first)
          const next = yield* Effect.timeoutOption(call("a", [2]), "10 seconds")
          assert.deepStrictEqual(next, Option.some([2]), `after ${operations} operations and ${turns} turns`)
        }
      }
    })
  )
})
