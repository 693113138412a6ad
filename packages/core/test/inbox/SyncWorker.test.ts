import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Duration, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { AccountAdministration } from "../../src/access/AccountAdministration.ts"
import { AuthExpired, RateLimited, Unavailable } from "../../src/connectors/ConnectorErrors.ts"
import { Posted } from "../../src/connectors/InboundActivity.ts"
import { InboxEvents } from "../../src/inbox/InboxEvents.ts"
import { Sync } from "../../src/inbox/Sync.ts"
import * as SyncWorker from "../../src/inbox/SyncWorker.ts"
import { posted, type PostedOptions } from "../../src/testing/activities.ts"
import { scopeOf, walk } from "../../src/testing/inboxFixtures.ts"
import { type FakeItem, fakeFeeds } from "../support/fakeFeeds.ts"
import { makeWorkspace } from "../support/fixtures.ts"
import { connectAccount, enter, layerInbox } from "../support/inboxLayers.ts"

const manual = SyncWorker.layer({ every: Option.none(), pollEvery: "1 minute" }).pipe(Layer.provideMerge(layerInbox))
const automatic = SyncWorker.layer().pipe(Layer.provideMerge(layerInbox))

const noon = DateTime.makeUnsafe(0)
const minutes = (count: number) => DateTime.add(noon, { minutes: count })

/** A comment on a post, so many minutes after the beginning of time. */
const comment = (id: string, at: number, more: PostedOptions & { readonly feed?: string } = {}): FakeItem => {
  const feed = more.feed ?? "post"
  const told = posted({ externalId: id, threadKey: id, body: `text of ${id}`, ...more, receivedAt: minutes(at) })
  const isMessage = told.source.endsWith("_dm")
  return {
    account: more.account ?? "page",
    feed,
    posted: new Posted({
      ...told,
      threadKey: isMessage ? { _tag: "Known", key: feed } : told.threadKey,
      linkedPostId: isMessage ? Option.none() : Option.some(feed)
    })
  }
}

const many = (count: number, start = 0) =>
  Array.from({ length: count }, (_, n) => comment(`c${start + n}`, 10 * (start + n)))

/** Asks for a sync, and lets time pass until it is answered. */
const sync = Effect.fnUntraced(function* (workspaceId: string, user?: string) {
  const caller = yield* enter(workspaceId, user)
  const fiber = yield* Effect.forkChild((yield* Sync).poll(caller))
  yield* TestClock.adjust("20 seconds")
  return yield* Fiber.join(fiber)
})

const bodies = (workspaceId: Parameters<typeof scopeOf>[0]) =>
  Effect.map(walk(scopeOf(workspaceId)), (items) => items.map(({ body }) => body).toSorted())

const codes = (run: Effect.Success<ReturnType<typeof sync>>) =>
  run.accounts.flatMap(({ errors }) => errors.map(({ code, step }) => `${step} ${code}`))

const credentials = { accessToken: Redacted.make("new"), refreshToken: Option.none(), expiresAt: Option.none() }

const failed = { network: "instagram", networkCode: Option.none(), detail: "" } as const
const down = new Unavailable({ ...failed, reason: "upstream" })
const dead = new AuthExpired({ ...failed, reason: "token", missingScopes: [] })
const forbidden = new AuthExpired({ ...failed, reason: "permission", missingScopes: ["comments"] })

describe("a sync (api.md §3)", () => {
  it.effect("reads a new account whole, page by page, and says so once it is done", () =>
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
      const events = yield* (yield* InboxEvents).read(id, 0, 100)
      const last = events[events.length - 1]?.event
      assert.isTrue(last?._tag === "SyncCompleted" && last.syncId === run.id && last.newItems === 9)
      assert.deepStrictEqual(yield* (yield* Sync).find(yield* enter(id), run.id), run)
    }).pipe(Effect.provide(manual))
  )

  it.effect("reads of what is known the newest page, and on only as far as something is new", () =>
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

  it.effect("opens a conversation when it has changed, and now and then to see what was unsent", () =>
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

  it.effect("opens a conversation once an hour that says nothing of edits and deletions", () =>
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

  it.effect("reads a page that came along with the list, whether its conversation changed or not", () =>
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

  it.effect("brings edits, and what was hidden, of what webhooks brought", () =>
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

  it.effect("deletes on proof alone: what a whole read misses is asked for by its id", () =>
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

  it.effect("asks for a missing item at most once an hour, and for twenty in one sync", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connectAccount(id)
      const world = yield* fakeFeeds(50)
      world.items = many(26)
      yield* TestClock.adjust("6 hours")
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
      assert.strictEqual((yield* bodies(id)).length, 26)
    }).pipe(Effect.provide(manual))
  )

  it.effect("of one failing, one limited and one expired account reports each, and fails no other", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      for (const name of ["down", "limited", "dead", "fine"]) {
        yield* connectAccount(id, { networkAccountId: name, name })
      }
      const world = yield* fakeFeeds()
      world.items = [comment("a", 1, { account: "fine" })]
      const retryAt = Option.some(minutes(90))
      world.failure = (_, { networkAccountId }) => {
        if (networkAccountId === "down") return down
        if (networkAccountId === "dead") return dead
        return networkAccountId === "limited" ? new RateLimited({ ...failed, retryAt }) : undefined
      }
      const run = yield* sync(id)
      assert.isTrue(run.isCompleted)
      assert.deepStrictEqual(codes(run).toSorted(), [
        "comments RATE_LIMITED",
        "comments UPSTREAM_UNAVAILABLE",
        "messages UPSTREAM_UNAVAILABLE",
        "token RECONNECT_REQUIRED"
      ])
      assert.deepStrictEqual(
        run.accounts.flatMap(({ errors }) => errors.flatMap((error) => Option.toArray(error.retryAt))),
        [minutes(90)]
      )
      assert.deepStrictEqual(yield* bodies(id), ["text of a"])
      // Those that wait, or must be connected again, are told the same without a call.
      world.requests.length = 0
      world.failure = (_, { networkAccountId }) => (networkAccountId === "fine" ? undefined : down)
      const again = yield* sync(id)
      assert.strictEqual(again.accountsChecked, 4)
      assert.deepStrictEqual(codes(again).toSorted(), codes(run).toSorted())
      assert.strictEqual(world.requests.filter((request) => request === "list comments").length, 3)
      yield* TestClock.adjust("90 minutes")
      world.failure = () => undefined
      assert.deepStrictEqual(codes(yield* sync(id)), ["token RECONNECT_REQUIRED"])
    }).pipe(Effect.provide(manual))
  )

  it.effect("leaves alone for a while what the account may not do, and goes on with the rest", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const account = yield* connectAccount(id)
      const world = yield* fakeFeeds()
      world.items = [comment("m", 1, { source: "ig_dm", feed: "ann" })]
      world.failure = (request) => (request === "list comments" ? forbidden : undefined)
      assert.deepStrictEqual(codes(yield* sync(id)), ["comments PERMISSION_MISSING"])
      assert.deepStrictEqual(codes(yield* sync(id)), ["comments PERMISSION_MISSING"])
      assert.deepStrictEqual(yield* bodies(id), ["text of m"])
      assert.strictEqual(world.requests.filter((request) => request === "list comments").length, 1)
      world.failure = () => undefined
      yield* (yield* AccountAdministration).updateAccount(id, account.id, { credentials })
      assert.deepStrictEqual(codes(yield* sync(id)), [])
    }).pipe(Effect.provide(manual))
  )

  it.effect("of one account twice at a time is one", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connectAccount(id)
      const world = yield* fakeFeeds()
      world.items = many(3)
      const [began, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      world.before = (request) =>
        request === "list comments"
          ? Effect.andThen(Deferred.succeed(began, undefined), Deferred.await(goOn))
          : Effect.void
      const first = yield* Effect.forkChild(sync(id))
      yield* Deferred.await(began)
      const second = yield* Effect.forkChild(sync(id))
      yield* TestClock.adjust("1 second")
      yield* Deferred.succeed(goOn, undefined)
      yield* TestClock.adjust("1 minute")
      const [one, two] = [yield* Fiber.join(first), yield* Fiber.join(second)]
      assert.deepStrictEqual(one.accounts, two.accounts)
      assert.notStrictEqual(one.id, two.id)
      assert.strictEqual(world.requests.filter((request) => request === "list comments").length, 1)
    }).pipe(Effect.provide(manual))
  )

  it.effect("answers in time while a network hangs, and goes on without the asker", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connectAccount(id, { networkAccountId: "slow" })
      yield* connectAccount(id, { network: "threads", networkAccountId: "quick", username: Option.some("us") })
      const world = yield* fakeFeeds()
      world.items = [
        comment("a", 1, { account: "slow" }),
        comment("b", 1, { account: "quick", source: "threads_reply" })
      ]
      const goOn = yield* Deferred.make<void>()
      world.before = (_, { networkAccountId }) => (networkAccountId === "slow" ? Deferred.await(goOn) : Effect.void)
      const run = yield* sync(id)
      assert.deepStrictEqual([run.isCompleted, run.accounts.length], [false, 1])
      assert.deepStrictEqual(yield* bodies(id), ["text of b"])
      yield* Deferred.succeed(goOn, undefined)
      yield* TestClock.adjust("1 second")
      const later = yield* (yield* Sync).find(yield* enter(id), run.id)
      assert.deepStrictEqual([later.isCompleted, later.accounts.length], [true, 2])
    }).pipe(Effect.provide(manual))
  )

  it.effect("ends an account that takes too long, and keeps what it read", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connectAccount(id)
      const world = yield* fakeFeeds()
      world.items = many(5)
      world.before = (request) => (request === "read post 3" ? Effect.never : Effect.void)
      const run = yield* sync(id)
      assert.isFalse(run.isCompleted)
      yield* TestClock.adjust("2 minutes")
      const later = yield* (yield* Sync).find(yield* enter(id), run.id)
      assert.deepStrictEqual(codes(later), ["comments UPSTREAM_UNAVAILABLE"])
      assert.deepStrictEqual(
        later.accounts.map(({ newItems, read }) => [newItems, read]),
        [[3, 3]]
      )
      assert.strictEqual((yield* bodies(id)).length, 3)
    }).pipe(Effect.provide(manual))
  )

  it.effect("is of a managed user's accounts alone, and no other finds it", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connectAccount(id, { networkAccountId: "ann's", externalUserId: Option.some("ann") })
      yield* connectAccount(id, { networkAccountId: "bob's", externalUserId: Option.some("bob") })
      yield* fakeFeeds()
      const run = yield* sync(id, "ann")
      assert.strictEqual(run.accountsChecked, 1)
      const service = yield* Sync
      assert.strictEqual((yield* service.find(yield* enter(id, "ann"), run.id)).id, run.id)
      assert.strictEqual((yield* service.find(yield* enter(id), run.id)).id, run.id)
      assert.strictEqual((yield* Effect.flip(service.find(yield* enter(id, "bob"), run.id)))._tag, "SyncNotFound")
    }).pipe(Effect.provide(manual))
  )

  it.effect("is done at once where there is no account", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const run = yield* (yield* Sync).poll(yield* enter(id))
      assert.deepStrictEqual([run.isCompleted, run.accountsChecked], [true, 0])
    }).pipe(Effect.provide(manual))
  )
})

describe("polling by itself", () => {
  it.effect("comes every five minutes, give or take a tenth, and waits as long as the network says", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connectAccount(id)
      const world = yield* fakeFeeds()
      const polls = () => world.requests.filter((request) => request === "list comments").length
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(polls(), 1)
      yield* TestClock.adjust("4 minutes")
      assert.strictEqual(polls(), 1)
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(polls(), 2)
      const now = yield* DateTime.now
      const retryAt = Option.some(DateTime.addDuration(now, Duration.hours(1)))
      world.failure = () => new RateLimited({ ...failed, retryAt })
      yield* TestClock.adjust("6 minutes")
      assert.strictEqual(polls(), 3)
      yield* TestClock.adjust("50 minutes")
      assert.strictEqual(polls(), 3)
      yield* TestClock.adjust("20 minutes")
      assert.isAbove(polls(), 3)
    }).pipe(Effect.provide(automatic))
  )

  it.effect("stops when the token is dead, and begins again with a new one", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const account = yield* connectAccount(id)
      const world = yield* fakeFeeds()
      world.failure = () => dead
      yield* TestClock.adjust("2 seconds")
      const asked = world.requests.length
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(world.requests.length, asked)
      world.failure = () => undefined
      world.items = many(1)
      yield* (yield* AccountAdministration).updateAccount(id, account.id, { credentials })
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* bodies(id), ["text of c0"])
    }).pipe(Effect.provide(automatic))
  )

  it.effect("reads nothing for a plan that has no inbox", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("free")
      yield* connectAccount(id)
      const world = yield* fakeFeeds()
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(world.requests, [])
    }).pipe(Effect.provide(automatic))
  )

  it.effect("has a connector's bug cost one poll, not the worker", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      yield* connectAccount(id, { networkAccountId: "broken" })
      yield* connectAccount(id)
      const world = yield* fakeFeeds()
      world.items = many(1)
      world.before = (_, { networkAccountId }) =>
        networkAccountId === "broken" ? Effect.die(new Error("a bug")) : Effect.void
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* bodies(id), ["text of c0"])
      assert.strictEqual(world.requests.filter((request) => request === "list comments").length, 2)
    }).pipe(Effect.provide(automatic))
  )
})

describe("polling X", () => {
  const us = { network: "x", networkAccountId: "us", username: Option.some("us") } as const
  const post = (id: string, at: number) => comment(id, at, { account: "us", source: "x_reply", feed: "us" })
  const posts = (count: number) => Array.from({ length: count }, (_, n) => post(`p${n}`, n + 1))

  it.effect("reads five the first time, and then what is new alone", () =>
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

  it.effect("goes on where a worker was lost, and pays for no page twice", () =>
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
