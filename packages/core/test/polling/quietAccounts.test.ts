import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as SyncWorker from "../../src/polling/SyncWorker.ts"
import { PollStore } from "../../src/sync/PollStore.ts"
import { fakeFeeds } from "@loopbox/testing/fakes/fakeFeeds"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { connectAccount, layerInbox } from "@loopbox/testing/layers/inboxLayers"
import { many } from "./syncWorld.ts"

/** Polls of one account in each of the hours, of which some bring something new. */
const pollsByHour = (given: Partial<SyncWorker.SyncWorkerOptions>, hours: number, newAt: ReadonlyArray<number>) => {
  let settled = 0
  const worker = SyncWorker.layer({ pollEvery: "20 seconds", ...given }).pipe(
    Layer.updateService(PollStore, (store) =>
      PollStore.of({
        ...store,
        settle: (claim, settlement, at) =>
          Effect.andThen(
            Effect.sync(() => (settled += 1)),
            store.settle(claim, settlement, at)
          )
      })
    )
  )
  return Effect.gen(function* () {
    yield* connectAccount((yield* makeWorkspace("growth")).id)
    const world = yield* fakeFeeds()
    const counts: Array<number> = []
    for (let hour = 0; hour < hours; hour++) {
      if (newAt.includes(hour)) world.items = many(hour)
      settled = 0
      yield* TestClock.adjust("1 hour")
      counts.push(settled)
    }
    return counts
  }).pipe(Effect.provide(worker.pipe(Layer.provideMerge(layerInbox))))
}

describe("an account in which nothing happens", () => {
  it.effect("is polled less often, down to a third, and at the interval again when something new is found", () =>
    Effect.gen(function* () {
      const counts = yield* pollsByHour({}, 8, [6])
      const [first = 0, , , , , sixth = 0, , eighth = 0] = counts
      assert.isAtLeast(first, 10, String(counts))
      assert.isAtMost(sixth, 5, String(counts))
      assert.isAtLeast(sixth, 3, String(counts))
      assert.isAtLeast(eighth, 8, String(counts))
    })
  )

  it.effect("is polled at the interval with a factor of 1, as all are", () =>
    Effect.gen(function* () {
      const counts = yield* pollsByHour({ quietFactor: 1 }, 6, [])
      assert.isAtLeast(Math.min(...counts), 10, String(counts))
    })
  )
})
