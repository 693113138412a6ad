import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { makePlaces } from "../../../src/outgoing/lanes/places.ts"

describe("places for attempts", () => {
  it.effect("gives an endpoint all of its own while half of them are free", () =>
    Effect.gen(function* () {
      const places = makePlaces(32)
      const lane = places.enter(false)
      for (let n = 0; n < 8; n++) yield* places.take(lane)
      const ninth = yield* Effect.forkChild(places.take(lane))
      yield* Effect.yieldNow
      assert.isUndefined(ninth.pollUnsafe())
      places.give(lane)
      yield* Fiber.join(ninth)
      assert.strictEqual(lane.taken, 8)
    })
  )

  it.effect("shares three quarters evenly, and keeps the last for those that have none and are not slow", () =>
    Effect.gen(function* () {
      const places = makePlaces(32)
      const lanes = Array.from({ length: 12 }, () => places.enter(false))
      for (const lane of lanes) yield* Effect.forkChild(Effect.forEach(Array(8), () => places.take(lane)))
      yield* Effect.yieldNow
      const taken = () => lanes.map((lane) => lane.taken)
      assert.isAtMost(
        taken().reduce((sum, count) => sum + count, 0),
        32
      )
      assert.isTrue(taken().every((count) => count >= 1))
      const slow = places.enter(true)
      const refused = yield* Effect.forkChild(places.take(slow))
      const quick = places.enter(false)
      yield* places.take(quick)
      yield* Effect.yieldNow
      assert.isUndefined(refused.pollUnsafe())
    })
  )

  it.effect("takes nothing for who no longer waits", () =>
    Effect.gen(function* () {
      const places = makePlaces(2)
      const [one, other] = [places.enter(false), places.enter(false)]
      yield* places.take(one)
      yield* places.take(other)
      const waiting = yield* Effect.forkChild(places.take(one))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(waiting)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(waiting)))
      places.give(one)
      assert.strictEqual(one.taken, 0)
      yield* places.take(one)
      assert.strictEqual(one.taken, 1)
    })
  )
})
