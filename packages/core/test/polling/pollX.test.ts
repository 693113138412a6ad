import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { fakeFeeds } from "@loopbox/testing/fakes/fakeFeeds"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { connectAccount } from "@loopbox/testing/layers/inboxLayers"
import { manual, comment, sync, bodies } from "./syncWorld.ts"

describe("polling X", () => {
  const us = { network: "x", networkAccountId: "us", username: Option.some("us") } as const
  const post = (id: string, at: number) => comment(id, at, { account: "us", source: "x_reply", feed: "us" })
  const posts = (count: number) => Array.from({ length: count }, (_, n) => post(`p${n}`, n + 1))

  it.effect("reads five posts the first time, and then only new ones", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connectAccount(id, us)
      const world = yield* fakeFeeds()
      world.items = posts(9)
      const run = yield* sync(id)
      assert.deepStrictEqual([run.accounts[0]?.read, run.accounts[0]?.newItems], [5, 5])
      world.items = posts(9 + 7)
      world.requests.length = 0
      assert.deepStrictEqual(
        (yield* sync(id)).accounts.map(({ newItems, read }) => [newItems, read]),
        [[7, 7]]
      )
      assert.deepStrictEqual(world.requests, ["read us 0", "read us 3", "read us 6"])
      assert.strictEqual((yield* sync(id)).accounts[0]?.read, 0)
    }).pipe(Effect.provide(manual))
  )

  it.effect("continues after a crashed worker, and pays for no page twice", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connectAccount(id, us)
      const world = yield* fakeFeeds()
      world.items = posts(1)
      yield* sync(id)
      world.items = posts(9)
      world.requests.length = 0
      // It hangs on its second page, and is cut off.
      world.before = (request) => (request === "read us 3" ? Effect.never : Effect.void)
      yield* sync(id)
      yield* TestClock.adjust("3 minutes")
      world.before = () => Effect.void
      yield* sync(id)
      assert.deepStrictEqual(world.requests, ["read us 0", "read us 3", "read us 3", "read us 6"])
      assert.strictEqual((yield* bodies(id)).length, 9)
      world.requests.length = 0
      assert.strictEqual((yield* sync(id)).accounts[0]?.read, 0)
    }).pipe(Effect.provide(manual))
  )
})
