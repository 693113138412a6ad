import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { makeLanes } from "../../src/webhooks/lanes.ts"

const rest = Effect.repeat(Effect.yieldNow, { times: 20 })

/** Lanes whose batches end when they are told to, in the order in which they began. */
const makeStation = Effect.gen(function* () {
  const begun: Array<{ readonly pieces: ReadonlyArray<string>; readonly end: Deferred.Deferred<void> }> = []
  const join = yield* makeLanes<string, string, string>({
    inLane: 2,
    batchWeight: 3,
    weightOf: (piece) => piece.length,
    run: Effect.fnUntraced(function* (pieces) {
      const end = yield* Deferred.make<void>()
      begun.push({ pieces, end })
      yield* Deferred.await(end)
      if (pieces.includes("die")) return yield* Effect.die(new Error("it died"))
      return pieces.map((piece) => (piece === "no" ? Exit.fail("no") : Exit.succeed(piece.toUpperCase())))
    })
  })
  /** One after the other, each with time to begin. */
  const hand = (lane: string, pieces: string) =>
    Effect.forEach(pieces.split(" "), (piece) => Effect.tap(Effect.forkChild(join(lane, piece)), rest))
  const endNext = Effect.suspend(() => {
    const batch = begun.shift()
    return batch === undefined ? Effect.die(new Error("nothing has begun")) : Deferred.succeed(batch.end, undefined)
  })
  const running = Effect.map(rest, () => begun.map(({ pieces }) => pieces.join(" ")))
  return { hand, endNext, running }
})

describe("work in lanes", () => {
  it.effect("begins at once, two batches in a lane; what waits meanwhile is done together, by its weight", () =>
    Effect.gen(function* () {
      const { endNext, hand, running } = yield* makeStation
      const fibers = yield* hand("busy", "a b c d e f gggg h")
      assert.deepStrictEqual(yield* running, ["a", "b"])
      yield* endNext
      assert.deepStrictEqual(yield* running, ["b", "c d e"])
      yield* endNext
      assert.deepStrictEqual(yield* running, ["c d e", "f"])
      yield* endNext
      assert.deepStrictEqual(yield* running, ["f", "gggg"])
      yield* endNext
      assert.deepStrictEqual(yield* running, ["gggg", "h"])
      yield* endNext
      yield* endNext
      assert.deepStrictEqual(yield* Effect.forEach(fibers, Fiber.join), ["A", "B", "C", "D", "E", "F", "GGGG", "H"])
      // A lane that came to rest begins anew.
      const [again] = yield* hand("busy", "x")
      assert.deepStrictEqual(yield* running, ["x"])
      yield* endNext
      assert.strictEqual(again && (yield* Fiber.join(again)), "X")
    })
  )

  it.effect("do not wait for each other", () =>
    Effect.gen(function* () {
      const { hand, running } = yield* makeStation
      yield* hand("busy", "a b c d")
      yield* hand("other", "o")
      assert.deepStrictEqual(yield* running, ["a", "b", "o"])
    })
  )

  it.effect("gives each piece its own end, and a batch that dies to all of its pieces, not to the next", () =>
    Effect.gen(function* () {
      const { endNext, hand } = yield* makeStation
      const fibers = yield* hand("one", "a b no c die x y")
      for (let batch = 0; batch < 5; batch++) yield* Effect.andThen(endNext, rest)
      const exits = yield* Effect.forEach(fibers, Fiber.await)
      assert.deepStrictEqual(
        exits.map((exit) => (Exit.isSuccess(exit) ? exit.value : Exit.hasDies(exit) ? "died" : "failed")),
        ["A", "B", "failed", "C", "died", "X", "Y"]
      )
    })
  )

  it.effect("forget a piece that is given up while it waits", () =>
    Effect.gen(function* () {
      const { endNext, hand, running } = yield* makeStation
      const fibers = yield* hand("busy", "a b c d e")
      const [, , , given] = fibers
      if (given !== undefined) yield* Fiber.interrupt(given)
      yield* endNext
      assert.deepStrictEqual(yield* running, ["b", "c e"])
    })
  )
})
