import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { SignalBus } from "@loopbox/core/kernel/SignalBus"

/** Listens until the scope closes; returns when the bus is ready. */
const listening = Effect.fnUntraced(function* (bus: SignalBus) {
  const ready = yield* Deferred.make<void>()
  const heard = yield* Queue.unbounded<string>()
  yield* bus
    .listen({
      ready: Effect.asVoid(Deferred.succeed(ready, undefined)),
      word: (word) => Effect.asVoid(Queue.offer(heard, word))
    })
    .pipe(Effect.forkScoped)
  yield* Deferred.await(ready)
  return heard
})

/** What every bus between processes does. `nodes` makes the buses of two processes that hear each other. */
export const signalBusContract = <E>(
  adapter: string,
  nodes: Effect.Effect<readonly [SignalBus, SignalBus], E, Scope.Scope>
) =>
  describe(`SignalBus: ${adapter}`, () => {
    it.live("brings words to another process that is ready, whole and as they are", () =>
      Effect.gen(function* () {
        const [one, two] = yield* nodes
        const heard = yield* listening(two)
        const words = ["inbox.changed ws_1 ws_2", `long ${"x".repeat(7_900)}`, "ünïcode ✓ 'quoted' \"twice\""]
        yield* one.tell(words)
        const found = yield* Effect.forEach(words, () => Queue.take(heard))
        assert.deepStrictEqual(found.toSorted(), words.toSorted())
      }).pipe(Effect.scoped)
    )

    it.live("brings a word to all that listen", () =>
      Effect.gen(function* () {
        const [one, two] = yield* nodes
        const queues = [yield* listening(two), yield* listening(two)]
        yield* one.tell(["word"])
        assert.deepStrictEqual(yield* Effect.forEach(queues, Queue.take), ["word", "word"])
      }).pipe(Effect.scoped)
    )

    it.live("says how many listen, if it says so at all", () =>
      Effect.gen(function* () {
        const [one, two] = yield* nodes
        const { listeners } = one
        if (listeners === undefined) return
        const before = yield* listeners
        yield* listening(one)
        yield* listening(two)
        assert.strictEqual(yield* listeners, before + 2)
      }).pipe(Effect.scoped)
    )

    it.live("takes nothing to tell, too", () =>
      Effect.gen(function* () {
        const [one, two] = yield* nodes
        const heard = yield* listening(two)
        yield* one.tell([])
        yield* one.tell(["after"])
        assert.strictEqual(yield* Queue.take(heard), "after")
      }).pipe(Effect.scoped)
    )
  })
