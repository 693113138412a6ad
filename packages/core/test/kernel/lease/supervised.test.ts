import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Logger, Metric, Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { faults, supervised, supervisedStream } from "../../../src/kernel/lease/supervised.ts"
import { StoreUnavailable } from "../../../src/kernel/StoreUnavailable.ts"

const away = new StoreUnavailable({ operation: "claim", committed: "no", cause: "test" })

const counted = (kind: "defect" | "unavailable") =>
  Effect.map(Metric.value(Metric.withAttributes(faults, { loop: "gauges", kind })), ({ count }) => Number(count))

/** A loop whose turns are told what to do, one after the other; the last one is repeated. */
const script = Effect.fnUntraced(function* (...turns: ReadonlyArray<Effect.Effect<unknown, StoreUnavailable>>) {
  const at: Array<number> = []
  const lines: Array<string> = []
  const clock = yield* TestClock.testClockWith(Effect.succeed)
  yield* supervised(
    "gauges",
    Effect.suspend(() => {
      at.push(clock.currentTimeMillisUnsafe() / 1000)
      return turns[Math.min(at.length, turns.length) - 1] ?? Effect.never
    }),
    { every: "1 minute" }
  ).pipe(
    Effect.provide(
      Logger.layer([Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${String(message)}`))])
    )
  )
  return { at, lines }
})

describe("a supervised loop", () => {
  it.effect("continues after a defect, with pauses that grow up to 30 seconds", () =>
    Effect.gen(function* () {
      const before = yield* counted("defect")
      const { at, lines } = yield* script(Effect.die(new Error("a row that nobody can read")))
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(at, [0, 1, 3, 7, 15, 31, 61, 91])
      assert.strictEqual((yield* counted("defect")) - before, 8)
      assert.strictEqual(lines.length, 8)
      assert.include(lines[0], "Error a loop met a defect and goes on")
    })
  )

  it.effect("forgets what failed once a turn went well", () =>
    Effect.gen(function* () {
      const { at } = yield* script(Effect.die("a"), Effect.die("b"), Effect.void, Effect.die("c"), Effect.never)
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(at, [0, 1, 3, 63, 64])
    })
  )

  it.effect("asks a store that is away every second, and says so once", () =>
    Effect.gen(function* () {
      const before = yield* counted("unavailable")
      const { at, lines } = yield* script(Effect.fail(away), Effect.fail(away), Effect.fail(away), Effect.never)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(at, [0, 1, 2, 3])
      assert.strictEqual((yield* counted("unavailable")) - before, 3)
      assert.deepStrictEqual(
        lines.filter((line) => line.startsWith("Warn")).map((line) => line.split(",")[0]),
        ["Warn a loop waits for its store"]
      )
    })
  )

  it.effect("takes the interruption of something that it waits for as a fault", () =>
    Effect.gen(function* () {
      const { at } = yield* script(Effect.interrupt, Effect.never)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(at, [0, 1])
    })
  )

  it.effect("ends with its scope", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { at } = yield* script(Effect.void).pipe(Scope.provide(scope))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(at.length, 2)
      yield* Scope.close(scope, Exit.void)
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(at.length, 2)
    })
  )

  it.effect("ends with its scope also while it pauses after a defect", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { at } = yield* script(Effect.die("bug")).pipe(Scope.provide(scope))
      yield* TestClock.adjust("1 second")
      yield* Scope.close(scope, Exit.void)
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(at.length, 2)
    })
  )
})

describe("a supervised stream", () => {
  it.effect("subscribes anew after a defect of the stream or of its handler", () =>
    Effect.gen(function* () {
      let subscriptions = 0
      const heard: Array<number> = []
      const stream = Stream.suspend(() => {
        subscriptions++
        return subscriptions === 1 ? Stream.die("broken") : Stream.make(subscriptions, 10)
      })
      yield* supervisedStream("gauges", stream, (value) =>
        value === 2 ? Effect.die("no such value") : Effect.sync(() => void heard.push(value))
      )
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(heard, [3, 10])
    })
  )

  it.effect("does not ask a stream that has ended again", () =>
    Effect.gen(function* () {
      let subscriptions = 0
      yield* supervisedStream(
        "gauges",
        Stream.suspend(() => Stream.make(++subscriptions)),
        () => Effect.void
      )
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(subscriptions, 1)
    })
  )
})
