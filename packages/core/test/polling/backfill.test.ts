import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer, Option } from "effect"
import * as fc from "fast-check"
import { TestClock } from "effect/testing"
import { SocialAccounts } from "../../src/accounts/SocialAccounts.ts"
import { RateLimited } from "../../src/networks/ConnectorErrors.ts"
import { endOf } from "../../src/polling/backfillAccount.ts"
import { estimateReads, pageLimit } from "../../src/sync/backfillRules.ts"
import { type BackfillRequest, Sync } from "../../src/sync/Sync.ts"
import { PollStore } from "../../src/sync/PollStore.ts"
import * as SyncWorker from "../../src/polling/SyncWorker.ts"
import { posted } from "@loopbox/testing/fixtures/activities"
import { listed, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { FakeNetworks } from "@loopbox/testing/fakes/FakeConnector"
import { type FakeItem, fakeFeeds } from "@loopbox/testing/fakes/fakeFeeds"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { connectAccount, enter, layerInbox } from "@loopbox/testing/layers/inboxLayers"

const manual = SyncWorker.layer({ every: Option.none(), pollEvery: "1 day" }).pipe(Layer.provideMerge(layerInbox))

const us = { network: "x", networkAccountId: "us", username: Option.some("us") } as const
/** Where a test clock begins: moving it by weeks takes long. */
const today = DateTime.makeUnsafe(0)

/** Posts that mention us, so many minutes apart. */
const posts = (count: number, minutes: number): ReadonlyArray<FakeItem> =>
  Array.from({ length: count }, (_, n) => ({
    account: "us",
    feed: "us",
    posted: posted({
      source: "x_reply",
      externalId: `p${n}`,
      receivedAt: DateTime.subtract(today, { minutes: minutes * (n + 1) })
    })
  }))

const asked = (maxItems: number, lookbackDays = 7): BackfillRequest => ({
  input: { accountId: Option.none(), lookbackDays, maxItems },
  confirmation: Option.none()
})

const backfill = Effect.fnUntraced(function* (workspaceId: string, request: BackfillRequest) {
  const caller = yield* enter(workspaceId)
  const fiber = yield* Effect.forkChild((yield* Sync).backfill(caller, request))
  yield* TestClock.adjust("25 seconds")
  const answer = yield* Fiber.join(fiber)
  return answer._tag === "Run" ? answer.run : assert.fail("asks first")
})

const countsOf = (run: Effect.Success<ReturnType<typeof backfill>>) =>
  run.accounts.flatMap(({ backfill: counts }) =>
    Option.toArray(counts).map(({ accepted, duplicates, read, stopReason }) => [read, accepted, duplicates, stopReason])
  )

const world = Effect.fnUntraced(function* (count: number, minutes = 10) {
  const { id } = yield* makeWorkspace("basic")
  const account = yield* connectAccount(id, us)
  const feeds = yield* fakeFeeds()
  feeds.items = posts(count, minutes)
  return { id, account, feeds }
})

describe("a backfill of X (api.md §3)", () => {
  it("asks pages that come to what was allowed, none too small and none too large", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), (maxItems) => {
        let read = 0
        for (let pages = 0; read < maxItems; pages++) {
          assert.isBelow(pages, 10)
          const limit = pageLimit(maxItems - read)
          assert.isTrue(limit >= 5 && limit <= 100)
          read += limit
        }
        assert.strictEqual(read, estimateReads(1, { maxItems }))
      })
    )
  })

  it.effect("stops at its bounds, and says which", () =>
    Effect.gen(function* () {
      const { id } = yield* world(40)
      assert.deepStrictEqual(countsOf(yield* backfill(id, asked(3))), [[5, 3, 0, "max_items"]])
      assert.deepStrictEqual(countsOf(yield* backfill(id, asked(12))), [[12, 9, 3, "max_items"]])
      assert.deepStrictEqual(countsOf(yield* backfill(id, asked(100))), [[40, 28, 12, "end_of_data"]])
      assert.strictEqual((yield* listed(scopeOf(id))).length, 40)
    }).pipe(Effect.provide(manual))
  )

  it.effect("says of a last page of which it may not take all that there was more, also after a crash", () =>
    Effect.gen(function* () {
      const { id } = yield* world(4)
      assert.deepStrictEqual(countsOf(yield* backfill(id, asked(3))), [[4, 3, 0, "max_items"]])
      assert.deepStrictEqual(countsOf(yield* backfill(id, asked(4))), [[4, 1, 3, "end_of_data"]])
      const progress = { read: 4, accepted: 3, duplicates: 0, suppressed: 0, cursor: Option.none() }
      assert.strictEqual(endOf({ ...progress, isCut: true }, 3), "max_items")
    }).pipe(Effect.provide(manual))
  )

  it.effect("reads nothing that is older than allowed", () =>
    Effect.gen(function* () {
      const { id } = yield* world(40, 59)
      const [[read, accepted] = []] = countsOf(yield* backfill(id, asked(100, 1)))
      assert.deepStrictEqual([read, accepted], [24, 24])
    }).pipe(Effect.provide(manual))
  )

  it.effect("keeps what it read when the network limits it, which holds for the next as well", () =>
    Effect.gen(function* () {
      const { feeds, id } = yield* world(40)
      const retryAt = Option.some(DateTime.add(today, { hours: 1 }))
      feeds.failure = (request) =>
        request === "read us 0"
          ? new RateLimited({ network: "x", networkCode: Option.none(), detail: "", retryAt })
          : undefined
      assert.deepStrictEqual(countsOf(yield* backfill(id, asked(20))), [[0, 0, 0, "rate_limited"]])
      feeds.failure = () => undefined
      feeds.requests.length = 0
      assert.deepStrictEqual(countsOf(yield* backfill(id, asked(20))), [[0, 0, 0, "rate_limited"]])
      assert.deepStrictEqual(feeds.requests, [])
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(countsOf(yield* backfill(id, asked(20))), [[20, 20, 0, "max_items"]])
    }).pipe(Effect.provide(manual))
  )

  it.effect("goes on where a worker was lost, and pays for no page twice", () =>
    Effect.gen(function* () {
      const { feeds, id } = yield* world(300)
      const caller = yield* enter(id)
      const sync = yield* Sync
      const lost = yield* Effect.forkChild(
        Effect.scoped(
          Layer.build(Layer.fresh(SyncWorker.layer({ every: Option.none() }))).pipe(Effect.andThen(Effect.never))
        )
      )
      // The second page never comes, as far as the first worker is concerned.
      feeds.before = (request) => (request === "read us 100" ? Effect.never : Effect.void)
      const asking = yield* Effect.forkChild(
        sync.backfill(caller, { ...asked(250), confirmation: Option.some(yield* confirm(id)) })
      )
      yield* TestClock.adjust("5 seconds")
      feeds.before = () => Effect.void
      yield* Fiber.interrupt(lost)
      const other = yield* Effect.forkChild(
        Effect.scoped(
          Layer.build(Layer.fresh(SyncWorker.layer({ every: Option.none() }))).pipe(Effect.andThen(Effect.never))
        )
      )
      yield* TestClock.adjust("30 seconds")
      const answer = yield* Fiber.join(asking)
      yield* Fiber.interrupt(other)
      assert.isTrue(answer._tag === "Run" && answer.run.isCompleted)
      assert.deepStrictEqual(
        feeds.requests.filter((request) => request !== "read us 100"),
        ["read us 0", "read us 200"]
      )
      assert.strictEqual((yield* listed(scopeOf(id))).length, 250)
    }).pipe(Effect.provide(layerInbox))
  )

  /** Workers that live until they are stopped, as a process of their own. */
  const startWorker = (options: Parameters<typeof SyncWorker.layer>[0] = {}) =>
    Effect.forkChild(
      Effect.scoped(
        Layer.build(Layer.fresh(SyncWorker.layer({ every: Option.none(), ...options }))).pipe(
          Effect.andThen(Effect.never)
        )
      )
    )

  /** Asks and gets the run as it is before any worker has begun. */
  const start = Effect.fnUntraced(function* (workspaceId: string, request: BackfillRequest) {
    const asking = yield* Effect.forkChild((yield* Sync).backfill(yield* enter(workspaceId), request))
    yield* TestClock.adjust("25 seconds")
    const answer = yield* Fiber.join(asking)
    return answer._tag === "Run" ? answer.run.id : assert.fail("asks first")
  })

  const found = Effect.fnUntraced(function* (workspaceId: string, id: string) {
    return countsOf(yield* (yield* Sync).find(yield* enter(workspaceId), id))
  })

  it.effect("says of each how it ended, also where another one takes too long (core 9)", () =>
    Effect.gen(function* () {
      const { feeds, id } = yield* world(40)
      const first = yield* start(id, asked(5))
      const second = yield* start(id, asked(10))
      let reads = 0
      feeds.before = () => (++reads < 2 ? Effect.void : Effect.never)
      const worker = yield* startWorker({ timeLimit: "1 minute" })
      yield* TestClock.adjust("2 minutes")
      yield* Fiber.interrupt(worker)
      assert.deepStrictEqual(yield* found(id, first), [[5, 5, 0, "max_items"]])
      assert.deepStrictEqual(yield* found(id, second), [[0, 0, 0, "upstream_failed"]])
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("says that the account must be connected again where that is so (core 9)", () =>
    Effect.gen(function* () {
      const { account, id } = yield* world(40)
      const run = yield* start(id, asked(5))
      yield* (yield* SocialAccounts).requireReauth(id, account.id, DateTime.add(today, { hours: 1 }))
      const worker = yield* startWorker()
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.interrupt(worker)
      assert.deepStrictEqual(yield* found(id, run), [[0, 0, 0, "reconnect_required"]])
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("reads no page after the one that reached the lookback, also after a crash (core 12)", () =>
    Effect.gen(function* () {
      const { feeds, id } = yield* world(40, 60)
      // A network that takes no notice of how far it is asked to look back, in pages smaller than asked.
      const networks = yield* FakeNetworks
      const { readFeed = () => Effect.die(new Error("no feeds")) } = networks.script
      networks.script = {
        ...networks.script,
        readFeed: (access, feed, request) =>
          readFeed(access, feed, { ...request, since: Option.none(), limit: Option.some(30) })
      }
      const run = yield* start(id, asked(100, 1))
      // The worker is lost between the page and its end.
      const stuck = yield* Effect.forkChild(
        Effect.scoped(
          Layer.build(
            Layer.updateService(SyncWorker.layer({ every: Option.none() }), PollStore, (store) =>
              PollStore.of({ ...store, settle: () => Effect.never })
            )
          ).pipe(Effect.andThen(Effect.never))
        )
      )
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.interrupt(stuck)
      const pages = feeds.requests.length
      const worker = yield* startWorker()
      yield* TestClock.adjust("1 minute")
      yield* Fiber.interrupt(worker)
      const [[, , , stopReason] = []] = yield* found(id, run)
      assert.strictEqual(stopReason, "lookback")
      assert.deepStrictEqual(
        feeds.requests.slice(pages).filter((request) => request.startsWith("read")),
        []
      )
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("refuses a confirmation that has expired", () =>
    Effect.gen(function* () {
      const { id } = yield* world(1)
      const token = yield* confirm(id)
      yield* TestClock.adjust("10 minutes")
      const request = { ...asked(250), confirmation: Option.some(token) }
      const error = yield* Effect.flip((yield* Sync).backfill(yield* enter(id), request))
      assert.isTrue(error._tag === "ConfirmationInvalid" && error.reason === "expired")
    }).pipe(Effect.provide(layerInbox))
  )
})

const confirm = Effect.fnUntraced(function* (workspaceId: string) {
  const answer = yield* (yield* Sync).backfill(yield* enter(workspaceId), asked(250))
  assert.isTrue(answer._tag === "ConfirmationRequired" && answer.estimatedReads === 250)
  return answer._tag === "ConfirmationRequired" ? answer.token : assert.fail()
})
