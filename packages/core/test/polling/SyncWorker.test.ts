import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Duration, Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { AccountAdministration } from "../../src/access/AccountAdministration.ts"
import { RateLimited } from "../../src/networks/ConnectorErrors.ts"
import { Sync } from "../../src/sync/Sync.ts"
import { fakeFeeds } from "@loopbox/testing/fakes/fakeFeeds"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { connectAccount, enter } from "@loopbox/testing/layers/inboxLayers"
import {
  manual,
  automatic,
  minutes,
  comment,
  many,
  sync,
  bodies,
  codes,
  credentials,
  failed,
  down,
  dead,
  forbidden
} from "./syncWorld.ts"

describe("a sync: failures and limits (api.md §3)", () => {
  it.effect("reports a failing, a rate limited and an expired account, and polls the others", () =>
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

  it.effect("skips a step without permission for a while, and polls the others", () =>
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

  it.effect("polls an account once for two concurrent requests", () =>
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
      assert.strictEqual(one.id, two.id)
      const run = yield* (yield* Sync).find(yield* enter(id), one.id)
      assert.deepStrictEqual([run.isCompleted, run.accounts.length], [true, 1])
      assert.strictEqual(world.requests.filter((request) => request === "list comments").length, 1)
    }).pipe(Effect.provide(manual))
  )

  it.effect("answers in time while a network hangs, and continues after the answer", () =>
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

  it.effect("stops an account that takes too long, and keeps the pages that it read", () =>
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

  it.effect("polls only the accounts of its managed user, and is not visible to others", () =>
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

  it.effect("is completed at once without accounts", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const run = yield* (yield* Sync).poll(yield* enter(id))
      assert.deepStrictEqual([run.isCompleted, run.accountsChecked], [true, 0])
    }).pipe(Effect.provide(manual))
  )
})

describe("automatic polling", () => {
  it.effect("runs every five minutes, plus or minus a tenth, and obeys rate limits", () =>
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

  it.effect("stops when the token is invalid, and starts again with a new one", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const account = yield* connectAccount(id)
      const world = yield* fakeFeeds()
      world.failure = () => dead
      yield* TestClock.adjust("20 seconds")
      const asked = world.requests.length
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(world.requests.length, asked)
      world.failure = () => undefined
      world.items = many(1)
      yield* (yield* AccountAdministration).updateAccount(id, account.id, { credentials })
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual(yield* bodies(id), ["text of c0"])
    }).pipe(Effect.provide(automatic))
  )

  it.effect("reads nothing for a plan without an inbox", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("free")
      yield* connectAccount(id)
      const world = yield* fakeFeeds()
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(world.requests, [])
    }).pipe(Effect.provide(automatic))
  )

  it.effect("ends what was asked for once its account is disconnected meanwhile, and not with its lease", () =>
    Effect.gen(function* () {
      const { id } = yield* makeWorkspace("basic")
      const account = yield* connectAccount(id)
      const world = yield* fakeFeeds()
      world.items = many(1)
      world.before = () => Effect.sleep("2 seconds")
      const caller = yield* enter(id)
      const asked = yield* Effect.forkChild((yield* Sync).poll(caller))
      yield* TestClock.adjust("1 second")
      yield* (yield* AccountAdministration).disconnect(id, account.id)
      yield* TestClock.adjust("20 seconds")
      const run = yield* Fiber.join(asked)
      assert.isTrue(run.isCompleted)
      assert.deepStrictEqual(yield* bodies(id), [])
    }).pipe(Effect.provide(automatic))
  )

  it.effect("survives a connector's defect, which fails only one poll", () =>
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
