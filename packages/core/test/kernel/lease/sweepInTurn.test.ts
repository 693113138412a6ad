import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { memorySweepTurns } from "@loopbox/testing/fakes/memorySweepTurns"
import { sweepInTurn } from "../../../src/kernel/lease/sweepInTurn.ts"
import { SweepTurns } from "../../../src/kernel/lease/SweepTurns.ts"

const every = Duration.minutes(10)

/** Counts its sweeps. */
const makeSweeper = () => {
  const state = { sweeps: 0 }
  const sweep = sweepInTurn(
    "inbox",
    every,
    Effect.sync(() => (state.sweeps += 1))
  )
  return { state, sweep }
}

const withTurns = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => Effect.provideService(self, SweepTurns, memorySweepTurns()))

describe("A sweep", () => {
  it.effect("is made by one of the processes in its time, whichever comes first", () =>
    Effect.gen(function* () {
      const [one, two] = [makeSweeper(), makeSweeper()]
      assert.deepStrictEqual(yield* Effect.all([one.sweep, two.sweep]), [true, false])
      yield* TestClock.adjust("9 minutes")
      assert.deepStrictEqual(yield* Effect.all([two.sweep, one.sweep]), [false, false])
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* Effect.all([two.sweep, one.sweep]), [true, false])
      assert.deepStrictEqual([one.state.sweeps, two.state.sweeps], [1, 1])
    }).pipe(withTurns)
  )

  it.effect("keeps its turn for as long as it takes, and is over when its process stops", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const long = sweepInTurn("inbox", every, Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
      const sweeping = yield* Effect.forkChild(long)
      yield* Deferred.await(begun)
      const { sweep } = makeSweeper()
      yield* TestClock.adjust("1 hour")
      assert.isFalse(yield* sweep)
      yield* Fiber.interrupt(sweeping)
      assert.isTrue(yield* sweep)
    }).pipe(withTurns)
  )

  it.effect("that fails is due again at once", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* Effect.flip(sweepInTurn("inbox", every, Effect.fail("broken"))), "broken")
      assert.isTrue(yield* makeSweeper().sweep)
    }).pipe(withTurns)
  )

  it.effect("that lost its turn stops, and leaves the rest to the other process", () =>
    Effect.gen(function* () {
      const shared = memorySweepTurns()
      const begun = yield* Deferred.make<void>()
      // Its heartbeats do not get through.
      const cut = { ...shared, renew: () => Effect.void }
      const slow = sweepInTurn(
        "inbox",
        every,
        Effect.andThen(Deferred.succeed(begun, undefined), Effect.sleep("3 minutes"))
      )
      const sweeping = yield* Effect.forkChild(Effect.provideService(slow, SweepTurns, cut))
      yield* Deferred.await(begun)
      yield* TestClock.adjust("2 minutes")
      assert.isTrue(yield* Effect.provideService(makeSweeper().sweep, SweepTurns, shared))
      yield* TestClock.adjust("1 minute")
      assert.isFalse(yield* Fiber.join(sweeping))
    })
  )
})
