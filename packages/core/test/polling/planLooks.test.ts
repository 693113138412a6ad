import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Administration } from "../../src/access/Administration.ts"
import { fakeFeeds } from "@loopbox/testing/fakes/fakeFeeds"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { connectAccount } from "@loopbox/testing/layers/inboxLayers"
import { bodies, countedPolls, many } from "./syncWorld.ts"

describe("accounts whose plan lacks their network", () => {
  it.effect("are looked at once a day, and at once when the plan changes (store H6)", () => {
    const { polls, worker } = countedPolls({ pollEvery: "20 seconds" })
    return Effect.gen(function* () {
      const { id } = yield* makeWorkspace("free")
      yield* connectAccount(id)
      const world = yield* fakeFeeds()
      world.items = many(1)
      yield* TestClock.adjust("20 hours")
      assert.strictEqual(polls.settled, 1)
      yield* (yield* Administration).updateWorkspace(id, { plan: "basic" })
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual(yield* bodies(id), ["text of c0"])
    }).pipe(Effect.provide(worker))
  })
})
