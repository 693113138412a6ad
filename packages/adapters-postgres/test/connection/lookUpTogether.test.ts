import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Option, Scheduler } from "effect"
import { makeLookUpTogether } from "../../src/connection/lookUpTogether.ts"

/** A look-up of what is stored under a key at the moment when it begins. */
const makeStore = Effect.gen(function* () {
  const stored = new Map<string, string>()
  const begun: Array<string> = []
  const goOn = yield* Deferred.make<void>()
  const find = makeLookUpTogether((key: string) =>
    Effect.suspend(() => {
      begun.push(key)
      const found = stored.get(key)
      return Effect.andThen(Deferred.await(goOn), found === undefined ? Effect.fail("absent") : Effect.succeed(found))
    })
  )
  const ask = (key: string) => Effect.forkChild(Effect.exit(find(key)), { startImmediately: true })
  return { stored, begun, find, ask, answer: Deferred.succeed(goOn, undefined) }
})

describe("Looking up together", () => {
  it.effect("looks once for those who ask for the same key at a time, and for each key by itself", () =>
    Effect.gen(function* () {
      const { answer, ask, begun, stored } = yield* makeStore
      stored.set("a", "one")
      const callers = yield* Effect.forEach(["a", "b", "a", "a", "b"], ask)
      assert.deepStrictEqual(begun, [])
      yield* Effect.yieldNow
      assert.deepStrictEqual(begun, ["a", "b"])
      yield* answer
      const [one, absent] = [Exit.succeed("one"), Exit.fail("absent")]
      assert.deepStrictEqual(yield* Effect.forEach(callers, Fiber.join), [one, absent, one, one, absent])
    })
  )

  it.effect("finds what was stored before a caller asked: nobody joins a look that has begun", () =>
    Effect.gen(function* () {
      const { answer, ask, begun, stored } = yield* makeStore
      stored.set("a", "one")
      const early = yield* ask("a")
      yield* Effect.yieldNow
      stored.set("a", "two")
      const late = yield* ask("a")
      yield* Effect.yieldNow
      assert.deepStrictEqual(begun, ["a", "a"])
      yield* answer
      assert.deepStrictEqual(yield* Fiber.join(early), Exit.succeed("one"))
      assert.deepStrictEqual(yield* Fiber.join(late), Exit.succeed("two"))
    })
  )

  it.effect("looks for the others when the first of them is interrupted", () =>
    Effect.gen(function* () {
      const { answer, ask, stored } = yield* makeStore
      stored.set("a", "one")
      const first = yield* ask("a")
      const other = yield* ask("a")
      yield* Fiber.interrupt(first)
      yield* answer
      assert.deepStrictEqual(yield* Fiber.join(other), Exit.succeed("one"))
    })
  )

  it.live("goes on for a key, wherever a call is interrupted", () =>
    Effect.gen(function* () {
      const { answer, find, stored } = yield* makeStore
      stored.set("a", "one")
      yield* answer
      for (let operations = 4; operations <= 40; operations++) {
        // The fiber gives way after so many steps, and is interrupted there.
        const call = yield* Effect.forkChild(Effect.provideService(find("a"), Scheduler.MaxOpsBeforeYield, operations))
        yield* Fiber.interrupt(call)
        const next = yield* Effect.timeoutOption(find("a"), "10 seconds")
        assert.deepStrictEqual(next, Option.some("one"), `after ${operations} operations`)
      }
    })
  )
})
