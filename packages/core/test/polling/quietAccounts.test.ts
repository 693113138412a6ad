import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type * as SyncWorker from "../../src/polling/SyncWorker.ts"
import { fakeFeeds } from "@loopbox/testing/fakes/fakeFeeds"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { connectAccount } from "@loopbox/testing/layers/inboxLayers"
import { countedPolls, many } from "./syncWorld.ts"

/** Polls of one account in each of the hours, of which some bring something new. */
const pollsByHour = (given: Partial<SyncWorker.SyncWorkerOptions>, hours: number, newAt: ReadonlyArray<number>) => {
  const { polls, worker } = countedPolls({ pollEvery: "20 seconds", ...given })
  return Effect.gen(function* () {
    yield* connectAccount((yield* makeWorkspace("growth")).id)
    const world = yield* fakeFeeds()
    const counts: Array<number> = []
    for (let hour = 0; hour < hours; hour++) {
      if (newAt.includes(hour)) world.items = many(hour)
      polls.settled = 0
      yield* TestClock.adjust("1 hour")
      counts.push(polls.settled)
    }
    return counts
  }).pipe(Effect.provide(worker))
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
