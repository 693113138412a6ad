import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import { claimLoop } from "../../src/inbox/claimLoop.ts"

/** A loop over numbers; `slow` ones end when they are told to. */
const make = Effect.fnUntraced(function* (waiting: Array<number>, atOnce: number, wakeUps: Stream.Stream<unknown>) {
  const done: Array<number> = []
  const gate = yield* Deferred.make<void>()
  const asked: Array<number> = []
  yield* claimLoop({
    atOnce,
    pollEvery: "1 second",
    wakeUps,
    claim: (limit) =>
      Effect.sync(() => {
        asked.push(limit)
        return waiting.splice(0, limit)
      }),
    run: (n) =>
      Effect.andThen(
        n < 0 ? Deferred.await(gate) : Effect.void,
        Effect.sync(() => void done.push(n))
      )
  })
  return { asked, done, gate }
})

/** Lets every fiber go on that can, without a moment passing. */
const settle = Effect.repeat(Effect.yieldNow, { times: 100 })

describe("a worker's claims", () => {
  it.effect("are not held up by a slow one", () =>
    Effect.gen(function* () {
      const { asked, done, gate } = yield* make([1, -2, 3, 4, 5, 6], 2, Stream.never)
      yield* settle
      assert.deepStrictEqual(done, [1, 3, 4, 5, 6])
      assert.isTrue(asked.every((limit) => limit <= 2))
      yield* Deferred.succeed(gate, undefined)
      yield* settle
      assert.deepStrictEqual(done, [1, 3, 4, 5, 6, -2])
    })
  )

  it.effect("are never more at once than allowed", () =>
    Effect.gen(function* () {
      const waiting = [-1, -2, -3]
      const { done, gate } = yield* make(waiting, 2, Stream.never)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(waiting, [-3])
      yield* Deferred.succeed(gate, undefined)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(done.sort(), [-1, -2, -3])
    })
  )

  it.effect("begin at a word, and without one within the poll's time", () =>
    Effect.gen(function* () {
      const waiting: Array<number> = []
      const word = yield* Deferred.make<void>()
      const { done } = yield* make(waiting, 2, Stream.fromEffect(Deferred.await(word)))
      yield* settle
      waiting.push(1)
      yield* settle
      assert.deepStrictEqual(done, [])
      yield* Deferred.succeed(word, undefined)
      yield* settle
      assert.deepStrictEqual(done, [1])
      waiting.push(2)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(done, [1, 2])
    })
  )
})
