import { Installation, PgAdapters, PgClock } from "@loopbox/adapters-postgres"
import { LeaseClock } from "@loopbox/core/kernel/lease/LeaseClock"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { testDatabase } from "../testDatabase.ts"

const machine = Clock.Clock.defaultValue()

/** A machine whose clock is wrong by so much, and which was asleep for so long. */
const wrongBy = (ms: number | (() => number), asleep_ms: () => number = () => 0): Clock.Clock => {
  const millis = () => machine.currentTimeMillisUnsafe() + (typeof ms === "number" ? ms : ms())
  // The monotonic clock does not count that time.
  const monotonic = () => machine.monotonicTimeNanosUnsafe() - BigInt(asleep_ms()) * 1_000_000n
  const nanos = () => BigInt(millis()) * 1_000_000n
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: monotonic,
    monotonicTimeNanos: Effect.sync(monotonic),
    sleep: (duration) => machine.sleep(duration)
  }
}

/** A process on the database, with this machine's clock. */
const clockOn = (target: PgAdapters.Target, options: PgClock.Options, clock: Clock.Clock = machine) =>
  Layer.build(
    PgClock.layer(options).pipe(Layer.provide(PgAdapters.layerTarget(target, { migrate: false, maxConnections: 2 })))
  ).pipe(Effect.provideService(Clock.Clock, clock))

const nowOf = (context: Context.Context<PgClock.PgClock>) => Effect.provide(DateTime.now, context)

const apart = (a: DateTime.Utc, b: DateTime.Utc) => a.epochMilliseconds - b.epochMilliseconds

describe("PgClock", () => {
  it.live("agrees on machines whose clocks do not, and tells how far they are off", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase()
      const right = yield* clockOn(target, {})
      const wrong = yield* clockOn(target, {}, wrongBy(3_600_000))
      // Of an hour no more is left than what two looks take on a busy machine.
      assert.isBelow(Math.abs(apart(yield* nowOf(right), yield* nowOf(wrong))), 10_000)
      const { skew, health } = Context.get(wrong, PgClock.PgClock)
      const { aheadMs, errorMs } = yield* skew
      assert.isBelow(Math.abs(aheadMs + 3_600_000), errorMs + 50)
      assert.include((yield* Effect.flip(health.run)).message, "ahead")
      yield* Context.get(right, PgClock.PgClock).health.run
    }).pipe(Effect.scoped)
  )

  it.live("stays where it is when the machine's clock is set, and tells soon how far that is off", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase()
      const right = yield* clockOn(target, {})
      let setBy = 0
      const process = yield* clockOn(
        target,
        {},
        wrongBy(() => setBy)
      )
      const { skew } = Context.get(process, PgClock.PgClock)
      for (const ms of [-3_600_000, 0, 3_600_000]) {
        setBy = ms
        for (const soon of [false, true]) {
          if (soon) {
            yield* Effect.repeat(Effect.delay(skew, "20 millis"), {
              until: ({ aheadMs }) => Math.abs(aheadMs + ms) < 1_000
            })
          }
          assert.isBelow(Math.abs(apart(yield* nowOf(right), yield* nowOf(process))), 10_000)
          const leaseNow = yield* Effect.flatten(Effect.provide(LeaseClock, process))
          assert.isBelow(Math.abs(apart(yield* nowOf(right), leaseNow)), 10_000)
        }
      }
    }).pipe(Effect.scoped)
  )

  it.live("is right again soon after the machine was asleep", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase()
      const right = yield* clockOn(target, {})
      let asleep_ms = 0
      const process = yield* clockOn(
        target,
        {},
        wrongBy(0, () => asleep_ms)
      )
      asleep_ms = 3_600_000
      const behind = Effect.zipWith(nowOf(right), nowOf(process), apart)
      yield* Effect.repeat(Effect.delay(behind, "20 millis"), { until: (ms) => ms < 10_000 })
      assert.isBelow(Math.abs(yield* behind), 10_000)
    }).pipe(Effect.scoped)
  )

  it.live("moves the time of all processes, but no lease", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase()
      const [one, other] = [yield* clockOn(target, { testClock: true }), yield* clockOn(target, { testClock: true })]
      const before = yield* nowOf(one)
      const moved = yield* Effect.all(
        [Context.get(one, PgClock.PgClock).advance("20 hours"), Context.get(other, PgClock.PgClock).advance("5 hours")],
        { concurrency: 2 }
      )
      const furthest = Math.max(...moved.map((at) => apart(at, before)))
      assert.isAtLeast(furthest, Duration.toMillis("25 hours"))
      for (const process of [one, other]) {
        yield* Effect.delay(nowOf(process), "50 millis").pipe(
          Effect.repeat({ until: (now) => apart(now, before) >= Duration.toMillis("25 hours") })
        )
        const leaseNow = yield* Effect.flatten(Effect.provide(LeaseClock, process))
        assert.isBelow(apart(leaseNow, before), 600_000)
      }
      // One that starts later has the same time, also without the test clock.
      const later = yield* clockOn(target, {})
      assert.isAtLeast(apart(yield* nowOf(later), before), Duration.toMillis("25 hours"))
    }).pipe(Effect.scoped)
  )
})

describe("Installation", () => {
  it.live("has one id and one sealed value, whoever is first", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase()
      const context = yield* Layer.build(
        Layer.merge(PgAdapters.layerTarget(target, { migrate: false }), SecureRandom.layerWebCrypto)
      )
      const ids = yield* Effect.provide(
        Effect.all([Installation.id, Installation.id, Installation.id], { concurrency: "unbounded" }),
        context
      )
      assert.strictEqual(new Set(ids).size, 1)
      assert.deepStrictEqual(yield* Effect.provide(Installation.sealedCheck, context), Option.none())
      assert.strictEqual(yield* Effect.provide(Installation.sealCheck("first"), context), "first")
      assert.strictEqual(yield* Effect.provide(Installation.sealCheck("second"), context), "first")
      yield* Effect.provide(Installation.resealCheck("third"), context)
      assert.deepStrictEqual(yield* Effect.provide(Installation.sealedCheck, context), Option.some("third"))
    }).pipe(Effect.scoped)
  )
})
