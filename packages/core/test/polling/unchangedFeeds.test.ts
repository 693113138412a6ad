/** What a poll leaves alone: posts of which the network counts as many comments as before. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Sync } from "../../src/sync/Sync.ts"
import * as SyncWorker from "../../src/polling/SyncWorker.ts"
import { posted } from "@loopbox/testing/fixtures/activities"
import { listed, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { type FakeItem, fakeFeeds } from "@loopbox/testing/fakes/fakeFeeds"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { connectAccount, enter, layerInbox } from "@loopbox/testing/layers/inboxLayers"

const automatic = SyncWorker.layer().pipe(Layer.provideMerge(layerInbox))

const on = (post: string, count: number): ReadonlyArray<FakeItem> =>
  Array.from({ length: count }, (_, n) => ({
    account: "page",
    feed: post,
    posted: posted({
      externalId: `${post}.${n}`,
      post,
      receivedAt: DateTime.add(DateTime.makeUnsafe(0), { minutes: n + 1 })
    })
  }))

const world = Effect.fnUntraced(function* (items: ReadonlyArray<FakeItem>, counts: Readonly<Record<string, number>>) {
  yield* TestClock.adjust("10 minutes")
  const { id } = yield* makeWorkspace("basic")
  const network = yield* fakeFeeds(50)
  const count = (now: Readonly<Record<string, number>>) => {
    network.posts = Object.entries(now).map(([feed, size]) => ({ feed, size }))
  }
  network.items = items
  count(counts)
  yield* connectAccount(id)
  /** How often each post was read since it was last asked. */
  const reads = (post: string) => {
    const found = network.requests.filter((request) => request.startsWith(`read ${post} `)).length
    network.requests.length = 0
    return found
  }
  return { id, network, count, reads, ids: listed(scopeOf(id)) }
})

describe("a post with as many comments as before", () => {
  it.effect("is read again each half hour, though its account is polled every five minutes", () =>
    Effect.gen(function* () {
      const { network, reads } = yield* world(on("a", 3), { a: 3 })
      yield* TestClock.adjust("27 minutes")
      assert.isAtLeast(network.requests.filter((request) => request === "list comments").length, 5)
      assert.strictEqual(reads("a"), 1)
      yield* TestClock.adjust("8 minutes")
      assert.strictEqual(reads("a"), 1)
    }).pipe(Effect.provide(automatic))
  )

  it.effect("is read as soon as the count is another one, greater or less", () =>
    Effect.gen(function* () {
      const { count, ids, network, reads } = yield* world([...on("a", 3), ...on("b", 1)], { a: 3, b: 1 })
      yield* TestClock.adjust("6 minutes")
      network.requests.length = 0
      network.items = [...on("a", 4), ...on("b", 1)]
      count({ a: 4, b: 1 })
      yield* TestClock.adjust("6 minutes")
      assert.strictEqual((yield* ids).length, 5)
      assert.strictEqual(network.requests.filter((request) => request === "read b 0").length, 0)
      reads("a")
      network.items = [...on("a", 3), ...on("b", 1)]
      count({ a: 3, b: 1 })
      yield* TestClock.adjust("6 minutes")
      assert.strictEqual((yield* ids).length, 4)
      assert.strictEqual(reads("a"), 1)
    }).pipe(Effect.provide(automatic))
  )

  it.effect("is read once more where the list showed less than the network counts", () =>
    Effect.gen(function* () {
      const { ids, network, reads } = yield* world(on("a", 2), { a: 3 })
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* ids).length, 2)
      // Counting is faster than listing.
      network.items = on("a", 3)
      yield* TestClock.adjust("6 minutes")
      assert.strictEqual((yield* ids).length, 3)
      reads("a")
      yield* TestClock.adjust("20 minutes")
      assert.isAtMost(reads("a"), 1)
    }).pipe(Effect.provide(automatic))
  )

  it.effect("is read by a requested sync", () =>
    Effect.gen(function* () {
      const { id, reads } = yield* world(on("a", 2), { a: 2 })
      yield* TestClock.adjust("2 seconds")
      reads("a")
      const fiber = yield* Effect.forkChild((yield* Sync).poll(yield* enter(id)))
      yield* TestClock.adjust("20 seconds")
      yield* Fiber.join(fiber)
      assert.strictEqual(reads("a"), 1)
    }).pipe(Effect.provide(automatic))
  )
})
