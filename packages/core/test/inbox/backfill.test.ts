import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer, Option } from "effect"
import * as fc from "fast-check"
import { TestClock } from "effect/testing"
import { RateLimited } from "../../src/connectors/ConnectorErrors.ts"
import { estimateReads, pageLimit } from "../../src/inbox/backfillRules.ts"
import { type BackfillRequest, Sync } from "../../src/inbox/Sync.ts"
import * as SyncWorker from "../../src/inbox/SyncWorker.ts"
import { posted } from "../../src/testing/activities.ts"
import { listed, scopeOf } from "../../src/testing/inboxFixtures.ts"
import { type FakeItem, fakeFeeds } from "../support/fakeFeeds.ts"
import { makeWorkspace } from "../support/fixtures.ts"
import { connectAccount, enter, layerInbox } from "../support/inboxLayers.ts"

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
  yield* connectAccount(id, us)
  const feeds = yield* fakeFeeds()
  feeds.items = posts(count, minutes)
  return { id, feeds }
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
