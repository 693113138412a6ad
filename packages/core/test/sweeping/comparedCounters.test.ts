import { layerStores } from "@loopbox/adapters-memory/MemoryAdapters"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { UnreadCounters } from "../../src/inbox/UnreadCounters.ts"
import { Connectors } from "../../src/networks/Connectors.ts"
import { noNetworks } from "../../src/networks/noNetworks.ts"
import * as InboxSweeper from "../../src/sweeping/InboxSweeper.ts"

/** A process that sweeps the inbox; it notes when it compares the counters. */
const startProcess = Effect.fnUntraced(function* (compared: Array<string>, name: string) {
  const scope = yield* Scope.make()
  const sweeper = Layer.provide(InboxSweeper.layer({ every: "1 hour" }), Layer.succeed(Connectors, noNetworks))
  const watched = Layer.updateService(sweeper, UnreadCounters, (store) =>
    UnreadCounters.of({
      ...store,
      compareDue: (due) =>
        Effect.tap(store.compareDue(due), (found) =>
          Effect.sync(() => {
            if (Option.isSome(found)) compared.push(name)
          })
        )
    })
  )
  yield* Layer.buildWithScope(watched, scope)
  return { stop: Scope.close(scope, Exit.void) }
})

describe("InboxSweeper", () => {
  it.effect("compares the counters once a day, also where no process lives so long (core 14, store M8)", () =>
    Effect.gen(function* () {
      const compared: Array<string> = []
      for (let hour = 0; hour < 60; hour += 7) {
        const { stop } = yield* startProcess(compared, `from hour ${hour}`)
        yield* TestClock.adjust("7 hours")
        yield* stop
      }
      assert.deepStrictEqual(compared, ["from hour 0", "from hour 21", "from hour 42"])
    }).pipe(Effect.provide(layerStores))
  )

  it.effect("compares the counters in one process only (core 14)", () =>
    Effect.gen(function* () {
      const compared: Array<string> = []
      yield* startProcess(compared, "one")
      yield* startProcess(compared, "other")
      yield* TestClock.adjust("60 hours")
      assert.strictEqual(compared.length, 3)
    }).pipe(Effect.provide(layerStores))
  )
})
