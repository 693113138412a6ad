import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Exit, Fiber, Queue, Scope, Stream } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { TestClock } from "effect/testing"
import { StoreUnavailable } from "../../../src/kernel/StoreUnavailable.ts"
import { claimLoop, type LeaseRequest } from "../../../src/kernel/lease/claimLoop.ts"

const common = { loop: "sync.claim", lease: "1 minute", pollEvery: "1 second" } as const

/** A loop over numbers; `slow` ones end when they are told to. */
const make = Effect.fnUntraced(function* (waiting: Array<number>, atOnce: number, wakeUps: Stream.Stream<unknown>) {
  const done: Array<number> = []
  const gate = yield* Deferred.make<void>()
  const asked: Array<number> = []
  yield* claimLoop({
    ...common,
    atOnce,
    wakeUps: { loop: "sync.wakeUps", hints: wakeUps },
    claim: ({ limit }) =>
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

layer(SecureRandom.layerWebCrypto)("a worker's claims", (it) => {
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

  it.effect(
    "give their slot to the next when only their settling is left, and so do at most as many as there are slots",
    () =>
      Effect.gen(function* () {
        const waiting = [1, 2, 3, 4, 5]
        const begun: Array<number> = []
        const settling = yield* Queue.unbounded<void>()
        yield* claimLoop({
          ...common,
          atOnce: 2,
          claim: ({ limit }) => Effect.sync(() => waiting.splice(0, limit)),
          run: (n, free) =>
            Effect.andThen(
              Effect.sync(() => void begun.push(n)),
              Effect.andThen(n === 5 ? Effect.never : free, Queue.take(settling))
            )
        })
        yield* settle
        assert.deepStrictEqual(begun, [1, 2, 3, 4])
        yield* Queue.offer(settling, undefined)
        yield* settle
        assert.deepStrictEqual(begun, [1, 2, 3, 4, 5])
      })
  )

  it.effect("are asked for no more often when one gives its slot away before it has ended", () =>
    Effect.gen(function* () {
      const { asked } = yield* make([1], 2, Stream.never)
      yield* settle
      const before = asked.length
      const other: Array<number> = []
      const waiting = [1]
      yield* claimLoop({
        ...common,
        atOnce: 2,
        claim: ({ limit }) =>
          Effect.sync(() => {
            other.push(limit)
            return waiting.splice(0, limit)
          }),
        run: (_, free) => Effect.andThen(free, Effect.yieldNow)
      })
      yield* settle
      assert.strictEqual(other.length, before)
    })
  )

  it.effect("start at a wake-up hint, and without one within the poll interval", () =>
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

  it.effect("go on after a defect of the store (core 1)", () =>
    Effect.gen(function* () {
      const done: Array<number> = []
      let looks = 0
      yield* claimLoop({
        ...common,
        atOnce: 2,
        claim: () =>
          Effect.suspend(() => {
            looks++
            return looks === 1 ? Effect.die(new Error("a row that does not decode")) : Effect.succeed([looks])
          }),
        run: (n) => Effect.sync(() => void done.push(n)).pipe(Effect.andThen(Effect.never))
      })
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(done, [2, 3])
    })
  )

  it.effect("go on after wake-ups that broke (core 1)", () =>
    Effect.gen(function* () {
      const waiting: Array<number> = []
      let subscriptions = 0
      const wakeUps = Stream.suspend(() => (++subscriptions === 1 ? Stream.die("broken") : Stream.never))
      yield* make(waiting, 2, wakeUps)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(subscriptions, 2)
    })
  )

  it.effect("are asked for again when one ends, unless its end lets no others be claimed and there was room", () =>
    Effect.gen(function* () {
      for (const [endsLetOthers, atOnce, claims] of [
        [true, 2, 2],
        [false, 2, 1],
        [false, 1, 2]
      ] as const) {
        const waiting = [1]
        const gate = yield* Deferred.make<void>()
        let asked = 0
        yield* claimLoop({
          ...common,
          atOnce,
          endsLetOthers,
          claim: ({ limit }) =>
            Effect.sync(() => {
              asked += 1
              return waiting.splice(0, limit)
            }),
          run: () => Deferred.await(gate)
        })
        yield* settle
        assert.strictEqual(asked, 1)
        yield* Deferred.succeed(gate, undefined)
        yield* settle
        assert.strictEqual(asked, claims, `${endsLetOthers}, ${atOnce} at once`)
      }
    })
  )

  it.effect("make room for others when one meets a defect", () =>
    Effect.gen(function* () {
      const waiting = [1, 2, 3]
      const done: Array<number> = []
      yield* claimLoop({
        ...common,
        atOnce: 1,
        claim: ({ limit }) => Effect.sync(() => waiting.splice(0, limit)),
        run: (n) => (n === 1 ? Effect.die(new Error("bug")) : Effect.sync(() => void done.push(n)))
      })
      yield* settle
      assert.deepStrictEqual(done, [2, 3])
    })
  )

  it.effect("are asked for with a token of their own and the times of the lease", () =>
    Effect.gen(function* () {
      const requests: Array<LeaseRequest> = []
      yield* claimLoop({
        ...common,
        atOnce: 2,
        claim: (request) =>
          Effect.as(
            Effect.sync(() => void requests.push(request)),
            []
          ),
        run: () => Effect.void
      })
      yield* TestClock.adjust("1 second")
      const [first, second] = requests.map(({ leaseNow }) => leaseNow)
      assert.deepStrictEqual(second, DateTime.add(first ?? assert.fail("no claim"), { seconds: 1 }))
      for (const { leaseNow, leaseUntil } of requests) {
        assert.deepStrictEqual(leaseUntil, DateTime.add(leaseNow, { minutes: 1 }))
      }
      assert.strictEqual(new Set(requests.map(({ token }) => token)).size, 2)
    })
  )

  it.effect("take no lease that ended in an outage of the store before its holder could renew it", () =>
    Effect.gen(function* () {
      const asked: Array<number> = []
      const began = yield* DateTime.now
      const second = (at: DateTime.Utc) => (DateTime.toEpochMillis(at) - DateTime.toEpochMillis(began)) / 1000
      const isAway = (at: DateTime.Utc) => second(at) > 2 && second(at) < 60
      yield* claimLoop({
        ...common,
        atOnce: 1,
        claim: ({ leaseNow }) =>
          Effect.gen(function* () {
            asked.push(second(leaseNow))
            return isAway(yield* DateTime.now)
              ? yield* new StoreUnavailable({ operation: "claim", committed: "no", cause: "test" })
              : []
          }),
        run: () => Effect.void
      })
      yield* TestClock.adjust("64 seconds")
      assert.deepStrictEqual(asked.slice(0, 5), [0, 1, 2, 3, 2])
      assert.deepStrictEqual(asked.slice(-6), [2, 2, 2, 62, 63, 64])
    })
  )

  it.effect("find work at most three seconds late while half of the store's answers fail", () =>
    Effect.gen(function* () {
      const lags: Array<number> = []
      let calls = 0
      yield* claimLoop({
        ...common,
        atOnce: 1,
        claim: ({ leaseNow }) =>
          Effect.gen(function* () {
            lags.push(DateTime.toEpochMillis(yield* DateTime.now) - DateTime.toEpochMillis(leaseNow))
            if (calls++ % 2 === 0) return []
            return yield* new StoreUnavailable({ operation: "claim", committed: "no", cause: "test" })
          }),
        run: () => Effect.void
      })
      yield* TestClock.adjust("1 minute")
      assert.isAtMost(Math.max(...lags), 3_000)
    })
  )

  /** A loop in a scope of its own; what it took ends when it is told to. */
  const makeDraining = Effect.fnUntraced(function* (claim: Effect.Effect<ReadonlyArray<number>>) {
    const told: Array<string> = []
    const gate = yield* Deferred.make<void>()
    const scope = yield* Scope.make()
    yield* claimLoop({
      ...common,
      atOnce: 1,
      drain: "30 seconds",
      claim: () => claim,
      run: (n) =>
        Deferred.await(gate).pipe(
          Effect.andThen(Effect.sync(() => void told.push(`ended ${n}`))),
          Effect.onInterrupt(() => Effect.sync(() => void told.push(`stopped ${n}`)))
        )
    }).pipe(Scope.provide(scope))
    yield* settle
    return { gate, told, close: Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true }) }
  })

  it.effect("may end when the worker is stopped, and no more are taken", () =>
    Effect.gen(function* () {
      let claims = 0
      const { close, gate, told } = yield* makeDraining(Effect.sync(() => [++claims]))
      const closing = yield* close
      yield* TestClock.adjust("29 seconds")
      assert.deepStrictEqual(told, [])
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(closing)
      assert.deepStrictEqual([told, claims], [["ended 1"], 1])
    })
  )

  it.effect("are interrupted when they do not end in time", () =>
    Effect.gen(function* () {
      const { close, told } = yield* makeDraining(Effect.succeed([1]))
      const closing = yield* close
      yield* TestClock.adjust("30 seconds")
      yield* Fiber.join(closing)
      assert.deepStrictEqual(told, ["stopped 1"])
    })
  )

  it.effect("that the store gives while the worker is stopped are worked on as well", () =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<ReadonlyArray<number>>()
      const { close, gate, told } = yield* makeDraining(Deferred.await(answer))
      const closing = yield* close
      yield* settle
      yield* Deferred.succeed(answer, [7])
      yield* settle
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(closing)
      assert.deepStrictEqual(told, ["ended 7"])
    })
  )
})
