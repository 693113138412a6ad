import { sharedGauges } from "@loopbox/adapters-postgres"
import { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { layerStores } from "../testDatabase.ts"

const every = Duration.seconds(5)

layer(layerStores())("metrics of the whole database", (it) => {
  it.effect("are measured by one process in its turn, and told by all", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_700_000_000_000)
      let measured = 0
      const look = sharedGauges(
        Effect.sync(() => ({ queued: (measured += 1) })),
        every
      )
      const looks = Effect.all(
        Array.from({ length: 8 }, () => look),
        { concurrency: "unbounded" }
      )
      yield* looks
      assert.strictEqual(measured, 1)
      assert.deepStrictEqual(yield* look, Option.some({ queued: 1 }))
      yield* TestClock.adjust("4 seconds")
      yield* looks
      assert.strictEqual(measured, 1)
      yield* TestClock.adjust("1 second")
      yield* looks
      assert.strictEqual(measured, 2)
      assert.deepStrictEqual(yield* look, Option.some({ queued: 2 }))
      // As when a test clock was moved back.
      yield* TestClock.setTime(1_600_000_000_000)
      assert.deepStrictEqual(yield* look, Option.some({ queued: 3 }))
    })
  )

  it.effect("are measured by another when one dies over it", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_800_000_000_000)
      const away = new StoreUnavailable({ operation: "test", committed: "no", cause: undefined })
      yield* Effect.flip(sharedGauges(Effect.fail(away), every))
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* sharedGauges(Effect.succeed({ queued: 7 }), every), Option.some({ queued: 7 }))
    })
  )
})
