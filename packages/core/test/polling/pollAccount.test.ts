import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { InboxEvents } from "../../src/feed/InboxEvents.ts"
import { Sync } from "../../src/sync/Sync.ts"
import type { PostedOptions } from "@loopbox/testing/fixtures/activities"
import { scopeOf, walk } from "@loopbox/testing/fixtures/inboxFixtures"
import { fakeFeeds } from "@loopbox/testing/fakes/fakeFeeds"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { connectAccount, enter } from "@loopbox/testing/layers/inboxLayers"
import { manual, comment, many, sync, bodies, down } from "./syncWorld.ts"

describe("a sync: pages (api.md §3)", () => {
  it.effect("reads every page of a new account, and is completed then", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const account = yield* connectAccount(id)
      const world = yield* fakeFeeds()
      world.items = [...many(8), comment("m1", 2, { source: "ig_dm", feed: "ann" })]
      yield* TestClock.adjust("6 hours")
      const run = yield* sync(id)
      assert.deepStrictEqual([run.isCompleted, run.accountsChecked], [true, 1])
      assert.deepStrictEqual(
        run.accounts.map(({ accountId, errors, newItems, read }) => [accountId, newItems, read, errors]),
        [[account.id, 9, 9, []]]
      )
      assert.strictEqual((yield* bodies(id)).length, 9)
      const { events } = yield* (yield* InboxEvents).read(id, 0, 100)
      const last = events[events.length - 1]?.event
      assert.isTrue(last?._tag === "SyncCompleted" && last.syncId === run.id && last.newItems === 9)
      assert.deepStrictEqual(yield* (yield* Sync).find(yield* enter(id), run.id), run)
    }).pipe(Effect.provide(manual))
  )

  it.effect("misses nothing of a feed from which something is deleted between two pages", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connectAccount(id)
      const world = yield* fakeFeeds()
      world.items = many(8)
      world.after = (request) =>
        Effect.sync(() => {
          if (request === "read post 0") world.items = world.items.filter(({ posted }) => posted.externalId !== "c6")
        })
      yield* TestClock.adjust("6 hours")
      yield* sync(id)
      assert.include(yield* bodies(id), "text of c4")
    }).pipe(Effect.provide(manual))
  )

  it.effect("reads only the newest page of a known feed, and further pages only while they have news", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connectAccount(id)
      const world = yield* fakeFeeds()
      world.items = many(12)
      yield* TestClock.adjust("6 hours")
      yield* sync(id)
      world.requests.length = 0
      assert.strictEqual((yield* sync(id)).accounts[0]?.newItems, 0)
      assert.deepStrictEqual(world.requests, ["list comments", "list messages", "read post 0"])
      world.requests.length = 0
      world.items = many(16)
      assert.strictEqual((yield* sync(id)).accounts[0]?.newItems, 4)
      // Four new ones: two pages have some, the third has none.
      assert.deepStrictEqual(
        world.requests.filter((request) => request.startsWith("read")),
        ["read post 0", "read post 3", "read post 6"]
      )
    }).pipe(Effect.provide(manual))
  )

  it.effect("reads a conversation when it has changed, and hourly to find unsent messages", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connectAccount(id)
      const world = yield* fakeFeeds()
      const message = (text: string, at: number) => comment(text, at, { source: "ig_dm", feed: "ann" })
      world.items = [message("a", 1)]
      yield* sync(id)
      world.requests.length = 0
      yield* sync(id)
      assert.deepStrictEqual(world.requests, ["list comments", "list messages"])
      world.items = [message("a", 1), message("b", 2)]
      yield* sync(id)
      assert.deepStrictEqual(yield* bodies(id), ["text of a", "text of b"])
      world.items = [message("b", 2)]
      yield* sync(id)
      assert.strictEqual((yield* bodies(id)).length, 2)
      yield* TestClock.adjust("1 hour")
      yield* sync(id)
      assert.deepStrictEqual(yield* bodies(id), ["text of b"])
    }).pipe(Effect.provide(manual))
  )

  it.effect("reads a conversation once an hour if its listing does not show edits and deletions", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connectAccount(id)
      const world = yield* fakeFeeds(10)
      const message = (name: string, at: number, more: PostedOptions = {}) =>
        comment(name, at, { source: "ig_dm", feed: "ann", ...more })
      world.items = [message("a", 1), message("b", 2), message("c", 3)]
      yield* TestClock.adjust("6 hours")
      yield* sync(id)
      world.items = [message("a", 1, { body: "edited" }), message("c", 3)]
      yield* TestClock.adjust("50 minutes")
      yield* sync(id)
      assert.deepStrictEqual(yield* bodies(id), ["text of a", "text of b", "text of c"])
      yield* TestClock.adjust("10 minutes")
      yield* sync(id)
      assert.deepStrictEqual(yield* bodies(id), ["edited", "text of c"])
    }).pipe(Effect.provide(manual))
  )

  it.effect("reads a page that comes with the listing, also if its conversation did not change", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connectAccount(id)
      const world = yield* fakeFeeds()
      world.bringsPages = true
      world.items = [comment("a", 1, { source: "fb_dm", feed: "ann" })]
      yield* sync(id)
      world.items = [comment("a", 1, { source: "fb_dm", feed: "ann", body: "edited" })]
      yield* sync(id)
      assert.deepStrictEqual(yield* bodies(id), ["edited"])
      assert.isFalse(world.requests.some((request) => request.startsWith("read")))
    }).pipe(Effect.provide(manual))
  )

  it.effect("finds edits of items that came by webhook, and whether they are hidden", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connectAccount(id)
      const world = yield* fakeFeeds()
      world.items = [comment("a", 1), comment("b", 2)]
      yield* sync(id)
      world.items = [comment("a", 1, { body: "edited" }), { ...comment("b", 2), isHidden: true }]
      const run = yield* sync(id)
      assert.strictEqual(run.accounts[0]?.newItems, 0)
      const items = yield* walk(scopeOf(id))
      assert.deepStrictEqual(
        items.map(({ body, isHidden }) => [body, isHidden]),
        [
          ["text of b", true],
          ["edited", false]
        ]
      )
    }).pipe(Effect.provide(manual))
  )

  it.effect("deletes a missing item only after a look-up by its id", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connectAccount(id)
      const world = yield* fakeFeeds(10)
      world.items = many(4)
      yield* TestClock.adjust("6 hours")
      yield* sync(id)
      const shown = world.items
      world.items = shown.filter(({ posted: { externalId } }) => externalId !== "c1")
      world.failure = (request) => (request.startsWith("isThere") ? down : undefined)
      yield* sync(id)
      assert.strictEqual((yield* bodies(id)).length, 4)
      world.failure = () => undefined
      yield* sync(id)
      assert.deepStrictEqual(yield* bodies(id), ["text of c0", "text of c2", "text of c3"])
    }).pipe(Effect.provide(manual))
  )

  it.effect("looks up a missing item at most once an hour, and at most twenty in one sync", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connectAccount(id)
      const world = yield* fakeFeeds(100)
      world.items = many(60)
      yield* TestClock.adjust("12 hours")
      yield* sync(id)
      const all = world.items
      // Not on any page, and there all the same.
      world.items = all.slice(25)
      const networks = world.requests
      const asked = () => networks.filter((request) => request.startsWith("isThere")).length
      world.before = (request) =>
        Effect.sync(() => {
          world.items = request.startsWith("isThere") ? all : all.slice(25)
        })
      yield* sync(id)
      assert.strictEqual(asked(), 20)
      yield* sync(id)
      assert.strictEqual(asked(), 25)
      yield* sync(id)
      assert.strictEqual(asked(), 25)
      yield* TestClock.adjust("6 hours")
      yield* sync(id)
      assert.strictEqual(asked(), 45)
      assert.strictEqual((yield* bodies(id)).length, 60)
    }).pipe(Effect.provide(manual))
  )
})
