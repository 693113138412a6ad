import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { AccountHealthStore } from "@loopbox/core/health/AccountHealthStore"
import { AuthorProfiles } from "@loopbox/core/inbox/AuthorProfiles"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { MediaStore } from "@loopbox/core/media/MediaStore"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { PollStore } from "@loopbox/core/sync/PollStore"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { RetentionStore } from "@loopbox/core/retention/RetentionStore"
import { SearchWords } from "@loopbox/core/inbox/SearchWords"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { SyncStore } from "@loopbox/core/sync/SyncStore"
import { ThreadStore } from "@loopbox/core/threads/ThreadStore"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { posted } from "@loopbox/testing/fixtures/activities"
import { connect, inboxEpoch, ingest } from "@loopbox/testing/fixtures/inboxFixtures"
import { addEndpoint, claimDue, makeDelivery, succeedAll } from "@loopbox/testing/fixtures/laneFixtures"
import { claimAt, makeGif, makeQueued } from "@loopbox/testing/fixtures/storeFixtures"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option, Result } from "effect"
import { apart, awayFor, isCluster, worldOfItsOwn } from "../awayNode.ts"

worldOfItsOwn()("While a node of the database is away", (it) => {
  it.effect("a claim gives what lies on the others, and what lies on it once it is back", (ctx) =>
    Effect.gen(function* () {
      if (!isCluster()) return ctx.skip("LOOPBOX_TEST_CITUS names no distributed database")
      const now = yield* inboxEpoch
      const { away, first, other } = yield* apart
      const gone = yield* makeQueued(first.id, now)
      const reachable = yield* makeQueued(other.id, now)

      const [claims, found] = yield* awayFor(
        away,
        Effect.gen(function* () {
          const claims = [yield* claimAt(now), yield* claimAt(now)]
          return [claims, yield* (yield* Workspaces).find(other.id)] as const
        })
      )
      const ids = claims.flatMap((outcome) => (outcome._tag === "Claimed" ? [outcome.claim.job.id] : []))
      assert.deepStrictEqual([ids, Option.isSome(found)], [[reachable.id], true])

      const later = yield* claimAt(now)
      assert.strictEqual(later._tag === "Claimed" ? later.claim.job.id : later._tag, gone.id)
    })
  )
})

worldOfItsOwn()("While a node is away", (it) => {
  it.effect("no worker's look for what is due fails", (ctx) =>
    Effect.gen(function* () {
      if (!isCluster()) return ctx.skip("LOOPBOX_TEST_CITUS names no distributed database")
      const now = yield* inboxEpoch
      const { away, first, other } = yield* apart
      const request = { limit: 5, token: "t", now, leaseNow: now, leaseUntil: DateTime.add(now, { minutes: 1 }) }
      const [polls, retention, threads] = [yield* PollStore, yield* RetentionStore, yield* ThreadStore]
      const looks: Readonly<Record<string, Effect.Effect<unknown, StoreUnavailable>>> = {
        polls: polls.claim({ ...request, network: "instagram", isAutomatic: true }),
        hints: polls.claim({ ...request, network: "instagram", isAutomatic: false }),
        posts: (yield* PostStore).claim({ ...request, networks: ["instagram"] }),
        replies: (yield* OutboundStore).claim({ ...request, sources: ["ig_comment"] }),
        authors: (yield* AuthorProfiles).claim(request),
        health: (yield* AccountHealthStore).claim(request),
        expired: retention.expire(now, 5),
        removable: retention.listRemovable(5),
        rows: retention.purgeRows(now, 5),
        snoozed: threads.wakeDue(now, 5),
        uncounted: threads.countLeft(5),
        words: (yield* SearchWords).fill(5),
        events: (yield* InboxEvents).removeOlder(now, 5),
        "events' numbers": (yield* InboxEvents).lastOf([first.id, other.id]),
        "what is not written": (yield* OutgoingQueue).lagging(5, Option.some([first.id, other.id])),
        runs: (yield* SyncStore).removeOlder({ runs: now, confirmations: now }, 5),
        deliveries: (yield* OutgoingQueue).removeOlder(now, 5)
      }
      const failed = yield* awayFor(
        away,
        Effect.forEach(Object.entries(looks), ([name, look]) =>
          Effect.match(look, { onFailure: () => [name], onSuccess: () => [] })
        )
      )
      assert.deepStrictEqual(failed.flat(), [])
    })
  )
})

worldOfItsOwn()("While a node is away, outgoing webhooks", (it) => {
  it.effect("of workspaces on the others are sent, and those on it once it is back", (ctx) =>
    Effect.gen(function* () {
      if (!isCluster()) return ctx.skip("LOOPBOX_TEST_CITUS names no distributed database")
      const now = yield* inboxEpoch
      const queue = yield* OutgoingQueue
      const { away, first, other } = yield* apart
      for (const { id } of [first, other]) {
        const endpoint = yield* addEndpoint(id, now)
        assert.isTrue(
          yield* queue.append({ workspaceId: id, position: 0 }, 0, [yield* makeDelivery(endpoint, 100, now)])
        )
        // An event of which nothing is written yet.
        yield* ingest(yield* connect(id), [posted({})])
      }
      const lagging = Effect.map(queue.lagging(10, Option.none()), (some) =>
        some.map(({ workspaceId }) => workspaceId).toSorted()
      )
      const found = yield* awayFor(
        away,
        Effect.gen(function* () {
          const claims = yield* claimDue(now)
          for (const claim of claims) assert.isTrue((yield* succeedAll(claim, now)).every(Result.isSuccess))
          return [yield* lagging, claims.map(({ lane }) => lane.workspaceId)]
        })
      )
      assert.deepStrictEqual(found, [[other.id], [other.id]])
      assert.deepStrictEqual(yield* lagging, [first.id, other.id].toSorted())
      assert.deepStrictEqual(
        (yield* claimDue(now)).map(({ lane }) => lane.workspaceId),
        [first.id]
      )
    })
  )
})

worldOfItsOwn()("While a node is away, what is looked for among all workspaces", (it) => {
  it.effect("is found on the others, and is not said to be missing where it may be on that node", (ctx) =>
    Effect.gen(function* () {
      if (!isCluster()) return ctx.skip("LOOPBOX_TEST_CITUS names no distributed database")
      const now = yield* inboxEpoch
      const [accounts, media] = [yield* SocialAccounts, yield* MediaStore]
      const { away, first, other } = yield* apart
      const make = Effect.fnUntraced(function* (workspaceId: WorkspaceId) {
        const account = yield* connect(workspaceId, { networkAccountId: workspaceId })
        const file = yield* makeGif(workspaceId, now)
        const routes = accounts.findRoutes([{ network: account.network, by: "id", value: workspaceId }])
        return {
          route: Effect.map(routes, (found) => found.map(({ accountId }) => accountId === account.id)),
          link: Effect.map(
            media.findLinked(file.id),
            Option.exists(({ id }) => id === file.id)
          )
        }
      })
      const [gone, there] = [yield* make(first.id), yield* make(other.id)]
      yield* awayFor(
        away,
        Effect.gen(function* () {
          assert.deepStrictEqual([yield* there.route, yield* there.link], [[true], true])
          const failed = [yield* Effect.flip(gone.route), yield* Effect.flip(gone.link)]
          assert.deepStrictEqual(
            failed.map(({ _tag }) => _tag),
            ["StoreUnavailable", "StoreUnavailable"]
          )
        })
      )
      assert.deepStrictEqual([yield* gone.route, yield* gone.link], [[true], true])
    })
  )
})
