import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeResolveNames, NameUnresolved } from "../../src/node/sending/resolveNames.ts"

const here = [{ address: "203.0.113.7", family: 4 }]

/** Look-ups that end when the test says so. */
const slowly = () => {
  const asked: Array<string> = []
  const gates = new Map<string, Deferred.Deferred<void>>()
  const gate = (name: string) => {
    const made = gates.get(name) ?? Deferred.makeUnsafe<void>()
    gates.set(name, made)
    return made
  }
  const lookUp = (name: string) =>
    Effect.suspend(() => {
      asked.push(name)
      return Effect.andThen(
        Deferred.await(gate(name)),
        name.startsWith("dead") ? Effect.fail(new NameUnresolved({ cause: "gone" })) : Effect.succeed(here)
      )
    })
  return {
    asked,
    lookUp,
    open: (name: string) => Effect.asVoid(Deferred.succeed(gate(name), undefined)),
    close: (name: string) => Effect.sync(() => void gates.delete(name))
  }
}

describe("names of receivers", () => {
  it.effect("are asked for once by many at a time, and again after three seconds", () =>
    Effect.gen(function* () {
      const { asked, lookUp, open } = slowly()
      const resolve = yield* makeResolveNames(lookUp)
      const both = yield* Effect.forkChild(Effect.all([resolve("a.example"), resolve("a.example")], { concurrency: 2 }))
      yield* open("a.example")
      assert.deepEqual(yield* Fiber.join(both), [here, here])
      yield* resolve("a.example")
      assert.strictEqual(asked.length, 1)
      yield* TestClock.adjust("3 seconds")
      yield* resolve("a.example")
      assert.strictEqual(asked.length, 2)
    })
  )
  it.effect("that never come do not hold up a caller beyond its own patience, nor others that are sound", () =>
    Effect.gen(function* () {
      const { asked, close, lookUp, open } = slowly()
      const resolve = yield* makeResolveNames(lookUp)
      const dead = ["dead1.example", "dead2.example", "dead3.example"]
      // Their first look-ups fail at once.
      yield* Effect.forEach(dead, open)
      yield* Effect.forEach(dead, (name) => Effect.flip(resolve(name)))
      yield* TestClock.adjust("3 seconds")
      // The second time they hang.
      yield* Effect.forEach(dead, close)
      asked.length = 0
      const waiting = yield* Effect.forEach(dead, (name) => Effect.forkChild(Effect.exit(resolve(name))))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(asked.length, 1, "one of the doubtful at a time")
      yield* open("sound.example")
      assert.deepEqual(yield* resolve("sound.example"), here)
      yield* Effect.forEach(waiting, Fiber.interrupt)
      yield* open("other.example")
      assert.deepEqual(yield* resolve("other.example"), here)
    })
  )
  it.effect("are those that the machine knows", () =>
    Effect.gen(function* () {
      const resolve = yield* makeResolveNames()
      const found = yield* resolve("localhost")
      assert.isNotEmpty(found.filter(({ address }) => address === "127.0.0.1" || address === "::1"))
    })
  )
})
