/** What a network's lists no longer show: deleted on proof alone, and never because the lists themselves fail. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { Posted } from "../../src/networks/InboundActivity.ts"
import { Ingest } from "../../src/inbox/Ingest.ts"
import { Sync } from "../../src/sync/Sync.ts"
import * as SyncWorker from "../../src/polling/SyncWorker.ts"
import { posted } from "@loopbox/testing/fixtures/activities"
import { listed, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { type FakeFeeds, type FakeItem, fakeFeeds } from "@loopbox/testing/fakes/fakeFeeds"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { connectAccount, enter, layerInbox } from "@loopbox/testing/layers/inboxLayers"

const manual = SyncWorker.layer({ every: Option.none(), pollEvery: "1 minute" }).pipe(Layer.provideMerge(layerInbox))

const comment = (externalId: string, post: string, minute = 1): Posted =>
  posted({ externalId, post, receivedAt: DateTime.add(DateTime.makeUnsafe(0), { minutes: minute }) })

const on = (post: string, count: number): ReadonlyArray<FakeItem> =>
  Array.from({ length: count }, (_, n) => ({
    account: "page",
    feed: post,
    posted: comment(`${post}.${n}`, post, n + 1)
  }))

const world = Effect.fnUntraced(function* (items: ReadonlyArray<FakeItem>) {
  const { id } = yield* makeWorkspace("basic")
  yield* connectAccount(id)
  const network: FakeFeeds = yield* fakeFeeds(50)
  network.items = items
  yield* TestClock.adjust("6 hours")
  const sync = Effect.gen(function* () {
    const fiber = yield* Effect.forkChild((yield* Sync).poll(yield* enter(id)))
    yield* TestClock.adjust("20 seconds")
    return yield* Fiber.join(fiber)
  })
  const tell = Effect.fnUntraced(function* (...told: ReadonlyArray<Posted>) {
    yield* (yield* Ingest).ingest({ activities: told, deliveryIds: [], isLastTry: false })
  })
  yield* sync
  return { network, sync, tell, ids: Effect.map(listed(scopeOf(id)), (ids) => ids.toSorted()) }
})

const countOf = (ids: ReadonlyArray<string>) => ids.length

describe("what came by webhook alone", () => {
  it.effect("is not missing from a list that never had it: on ads and live videos", () =>
    Effect.gen(function* () {
      const { ids, network, sync, tell } = yield* world(on("post", 3))
      // The network says of both that they don't exist: it shows them to nobody by their ids.
      yield* tell(comment("on an ad", "ad"), comment("live", "post"))
      yield* sync
      yield* TestClock.adjust("3 hours")
      yield* sync
      assert.deepStrictEqual(yield* ids, ["live", "on an ad", "post.0", "post.1", "post.2"])
      // Once a list has had it, it may end as any other.
      network.items = [...network.items, { account: "page", feed: "post", posted: comment("live", "post") }]
      yield* sync
      network.items = network.items.slice(0, 3)
      yield* sync
      assert.deepStrictEqual(yield* ids, ["on an ad", "post.0", "post.1", "post.2"])
    }).pipe(Effect.provide(manual))
  )
})

describe("lists that lose much at once", () => {
  it.effect("are not believed where the network counts comments and shows none", () =>
    Effect.gen(function* () {
      const { ids, network, sync } = yield* world([...on("one", 1), ...on("two", 2)])
      network.items = []
      network.posts = [
        { feed: "one", size: 1 },
        { feed: "two", size: 2 }
      ]
      yield* sync
      assert.strictEqual(countOf(yield* ids), 3)
      network.posts = [
        { feed: "one", size: 0 },
        { feed: "two", size: 2 }
      ]
      yield* sync
      assert.deepStrictEqual(yield* ids, ["two.0", "two.1"])
    }).pipe(Effect.provide(manual))
  )

  it.effect("are not believed where most of a post is gone, and are where little is", () =>
    Effect.gen(function* () {
      const { ids, network, sync } = yield* world(on("post", 11))
      const all = network.items
      network.items = all.slice(0, 5)
      yield* sync
      assert.strictEqual(countOf(yield* ids), 11)
      network.items = all.slice(0, 6)
      yield* sync
      assert.strictEqual(countOf(yield* ids), 6)
    }).pipe(Effect.provide(manual))
  )

  it.effect("are not believed where many posts lose their few comments", () =>
    Effect.gen(function* () {
      const posts = Array.from({ length: 12 }, (_, n) => `post${n}`)
      const { ids, network, sync } = yield* world(posts.flatMap((post) => on(post, 1)))
      network.items = []
      network.posts = posts.map((feed) => ({ feed, size: 0 }))
      yield* sync
      assert.strictEqual(countOf(yield* ids), 12)
    }).pipe(Effect.provide(manual))
  )

  it.effect("are not believed where no post is left, or more are gone than are there", () =>
    Effect.gen(function* () {
      const { ids, network, sync } = yield* world(["a", "b", "c", "d", "e"].flatMap((post) => on(post, 2)))
      const all = network.items
      network.items = []
      // Posts that are in no list are looked for once an hour.
      yield* TestClock.adjust("2 hours")
      yield* sync
      assert.strictEqual(countOf(yield* ids), 10)
      yield* TestClock.adjust("2 hours")
      network.items = all.slice(0, 4)
      yield* sync
      assert.strictEqual(countOf(yield* ids), 10)
    }).pipe(Effect.provide(manual))
  )

  it.effect("are believed where one post of several is gone, with all that stood there", () =>
    Effect.gen(function* () {
      const { ids, network, sync } = yield* world([...on("a", 2), ...on("b", 12)])
      network.items = network.items.slice(0, 2)
      yield* TestClock.adjust("2 hours")
      yield* sync
      assert.deepStrictEqual(yield* ids, ["a.0", "a.1"])
    }).pipe(Effect.provide(manual))
  )
})
