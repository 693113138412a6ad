import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { LeaseLost } from "../../../src/kernel/lease/LeaseLost.ts"
import { whileLeased } from "../../../src/kernel/lease/whileLeased.ts"
import { StoreUnavailable } from "../../../src/kernel/StoreUnavailable.ts"

type Answer = Effect.Effect<void, LeaseLost | StoreUnavailable>

const away = Effect.fail(new StoreUnavailable({ operation: "renew", committed: "unknown", cause: "test" }))
const lost = Effect.fail(new LeaseLost({ what: "delivery", id: "d" }))

/** Work that ends when it is told to, under a lease of 15 seconds whose heartbeats are answered one after the other. */
const begin = Effect.fnUntraced(function* (...answers: ReadonlyArray<Answer>) {
  const done = yield* Deferred.make<string>()
  const renewals: Array<number> = []
  const released: Array<number> = []
  let wasStopped = false
  const seconds = (at: DateTime.Utc) => DateTime.toEpochMillis(at) / 1000
  const fiber = yield* whileLeased(
    Effect.onInterrupt(Deferred.await(done), () =>
      Effect.sync(() => {
        wasStopped = true
      })
    ),
    {
      lease: "15 seconds",
      renew: (until) => {
        renewals.push(seconds(until))
        return answers[renewals.length - 1] ?? Effect.void
      },
      release: (now) => Effect.sync(() => void released.push(seconds(now)))
    }
  ).pipe(Effect.forkChild({ startImmediately: true }))
  return { done, fiber, released, renewals, wasStopped: () => wasStopped }
})

describe("work under a lease", () => {
  it.effect("has its lease prolonged every third of it until it ends", () =>
    Effect.gen(function* () {
      const { done, fiber, released, renewals } = yield* begin()
      yield* TestClock.adjust("16 seconds")
      assert.deepStrictEqual(renewals, [20, 25, 30])
      yield* Deferred.succeed(done, "settled")
      assert.strictEqual(yield* Fiber.join(fiber), "settled")
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual([renewals.length, released], [3, []])
    })
  )

  it.effect("is stopped as soon as its lease is found lost, and hands nothing back", () =>
    Effect.gen(function* () {
      const { fiber, released, wasStopped } = yield* begin(Effect.void, lost)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* Effect.flip(Fiber.join(fiber)))._tag, "LeaseLost")
      assert.deepStrictEqual([wasStopped(), released], [true, []])
    })
  )

  it.effect("outlives a store that is away, and a heartbeat that meets a defect", () =>
    Effect.gen(function* () {
      const { done, fiber, renewals } = yield* begin(away, Effect.die(new Error("bug")))
      yield* TestClock.adjust("15 seconds")
      assert.deepStrictEqual(renewals, [20, 21, 26])
      yield* Deferred.succeed(done, "settled")
      assert.strictEqual(yield* Fiber.join(fiber), "settled")
    })
  )

  it.effect("has its lease prolonged within a second of the return of a store that was away", () =>
    Effect.gen(function* () {
      const { fiber, renewals } = yield* begin(away, away, Effect.void)
      yield* TestClock.adjust("12 seconds")
      assert.deepStrictEqual(renewals, [20, 21, 22, 27])
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("is handed back when it is interrupted", () =>
    Effect.gen(function* () {
      const { fiber, released, wasStopped } = yield* begin()
      yield* TestClock.adjust("7 seconds")
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual([wasStopped(), released], [true, [7]])
    })
  )
})
