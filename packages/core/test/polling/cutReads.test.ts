import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { WorkspaceId } from "../../src/kernel/Ids.ts"
import { FakeNetworks } from "@loopbox/testing/fakes/FakeConnector"
import { fakeFeeds } from "@loopbox/testing/fakes/fakeFeeds"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { connectAccount } from "@loopbox/testing/layers/inboxLayers"
import { bodies, comment, down, manual, many, sync } from "./syncWorld.ts"

/** Syncs once an hour. */
const syncs = Effect.fnUntraced(function* (workspaceId: WorkspaceId, times: number) {
  for (let n = 0; n < times; n++) {
    yield* sync(workspaceId)
    yield* TestClock.adjust("1 hour")
  }
  return yield* bodies(workspaceId)
})

/** A post whose second page is not answered once, after it was read while it had these items. */
const cutOff = Effect.fnUntraced(function* (before: number) {
  const { id } = yield* makeWorkspace("basic")
  yield* connectAccount(id)
  const world = yield* fakeFeeds()
  // The network counts a comment that it does not show.
  world.posts = [{ feed: "post", size: before + 1 }]
  world.items = many(before)
  yield* sync(id)
  yield* TestClock.adjust("6 hours")
  world.posts = [{ feed: "post", size: before + 10 }]
  world.items = many(before + 9)
  world.failure = (request) => (request === "read post 3" ? down : undefined)
  yield* sync(id)
  world.failure = () => undefined
  return yield* syncs(id, 5)
})

describe("a read of a feed that was cut off", () => {
  it.effect("goes on with the next poll, where the feed had something before", () =>
    Effect.gen(function* () {
      assert.lengthOf(yield* cutOff(1), 10)
    }).pipe(Effect.provide(manual))
  )

  it.effect("goes on with the next poll, where a complete read had found nothing", () =>
    Effect.gen(function* () {
      assert.lengthOf(yield* cutOff(0), 9)
    }).pipe(Effect.provide(manual))
  )

  it.effect("goes on with the next poll, where it came to the most pages of one poll", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connectAccount(id)
      const world = yield* fakeFeeds()
      world.items = Array.from({ length: 310 }, (_, n) => comment(`c${n}`, n))
      yield* TestClock.adjust("6 hours")
      yield* sync(id)
      assert.lengthOf(yield* bodies(id), 300)
      // It comes meanwhile, and the poll that goes on does not see it.
      world.items = [...world.items, comment("new", 361)]
      const asked = world.requests.length
      assert.lengthOf(yield* syncs(id, 3), 311)
      const [first, ...later] = world.requests.slice(asked).filter((request) => !request.startsWith("list"))
      assert.strictEqual(first, "read post 300")
      // Nor is taken for gone what that poll has not seen.
      assert.deepStrictEqual(
        later.filter((request) => !request.startsWith("read")),
        []
      )
    }).pipe(Effect.provide(manual))
  )

  it.effect("leaves nothing for later that a conversation got while its read went on", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connectAccount(id)
      const world = yield* fakeFeeds()
      const message = (name: string, at: number) => comment(name, at, { source: "ig_dm", feed: "talk" })
      world.items = Array.from({ length: 310 }, (_, n) => message(`m${n}`, n))
      yield* TestClock.adjust("6 hours")
      yield* sync(id)
      // The listing tells of it while the poll goes on that does not see it.
      world.items = [...world.items, message("new", 361)]
      yield* sync(id)
      yield* TestClock.adjust("1 minute")
      yield* sync(id)
      assert.lengthOf(yield* bodies(id), 311)
    }).pipe(Effect.provide(manual))
  )

  it.effect("reads again what waits for its thread key, also if pages without such items follow", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connectAccount(id, { network: "facebook" })
      const world = yield* fakeFeeds()
      const networks = yield* FakeNetworks
      // Three pages; on the second one is an answer to a comment that is not known.
      world.items = Array.from({ length: 9 }, (_, n) =>
        comment(`c${n}`, 10 * n, { source: "fb_comment", ...(n === 4 ? { rootOf: "unknown" } : {}) })
      )
      networks.threads.set("c4", "root")
      yield* TestClock.adjust("6 hours")
      networks.failure = down
      yield* sync(id)
      networks.failure = undefined
      assert.include(yield* syncs(id, 5), "text of c4")
    }).pipe(Effect.provide(manual))
  )

  it.effect("goes back no further than to what waits for its thread key", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connectAccount(id, { network: "facebook" })
      const world = yield* fakeFeeds()
      const networks = yield* FakeNetworks
      // Five pages, the newest first: what waits is on the second one.
      world.items = Array.from({ length: 15 }, (_, n) =>
        comment(`c${n}`, 10 * n, { source: "fb_comment", ...(n === 10 ? { rootOf: "unknown" } : {}) })
      )
      networks.threads.set("c10", "root")
      yield* TestClock.adjust("6 hours")
      networks.failure = down
      yield* syncs(id, 1)
      const asked = world.requests.length
      assert.notInclude(yield* syncs(id, 3), "text of c10")
      const reads = world.requests.slice(asked).filter((request) => request.startsWith("read"))
      assert.deepStrictEqual(Array.from(new Set(reads)), ["read post 0", "read post 3"])
      networks.failure = undefined
      assert.include(yield* syncs(id, 1), "text of c10")
    }).pipe(Effect.provide(manual))
  )

  it.effect("gets to the end of a feed, also while something waits for its thread key", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connectAccount(id, { network: "facebook" })
      const world = yield* fakeFeeds()
      const networks = yield* FakeNetworks
      world.items = Array.from({ length: 310 }, (_, n) =>
        comment(`c${n}`, n, { source: "fb_comment", ...(n === 305 ? { rootOf: "unknown" } : {}) })
      )
      networks.threads.set("c305", "root")
      yield* TestClock.adjust("6 hours")
      networks.failure = down
      assert.lengthOf(yield* syncs(id, 3), 309)
      networks.failure = undefined
      assert.lengthOf(yield* syncs(id, 2), 310)
    }).pipe(Effect.provide(manual))
  )
})
