import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import * as SyncWorker from "../../src/polling/SyncWorker.ts"
import { Sync } from "../../src/sync/Sync.ts"
import { SyncStore } from "../../src/sync/SyncStore.ts"
import { fakeFeeds } from "@loopbox/testing/fakes/fakeFeeds"
import { away, makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import {
  connectAccount,
  enter,
  layerInbox,
  layerInboxPorts,
  layerInboxServices
} from "@loopbox/testing/layers/inboxLayers"

/** Services over a store that counts how often a run is looked at and read, and whose first looks may fail. */
const watched = (looks: { count: number; failing: number; reads?: number }) =>
  layerInboxServices.pipe(
    Layer.updateService(SyncStore, (store) =>
      SyncStore.of({
        ...store,
        isCompleted: (workspaceId, id) =>
          Effect.suspend(() => {
            looks.count += 1
            return looks.count <= looks.failing ? Effect.fail(away()) : store.isCompleted(workspaceId, id)
          }),
        find: (scope, id) =>
          Effect.suspend(() => {
            looks.reads = (looks.reads ?? 0) + 1
            return store.find(scope, id)
          })
      })
    )
  )

const poll = Effect.fnUntraced(function* () {
  const { id } = yield* makeWorkspace("growth")
  yield* connectAccount(id)
  const feeds = yield* fakeFeeds()
  return { id, feeds, asking: yield* Effect.forkChild((yield* Sync).poll(yield* enter(id))) }
})

const worker = SyncWorker.layer({ every: Option.none() })

describe("waiting for a sync", () => {
  it.effect("does not fail a run that has begun when the store is away for a moment (core 13)", () => {
    const looks = { count: 0, failing: 3 }
    return Effect.gen(function* () {
      const { asking } = yield* poll()
      yield* TestClock.adjust("20 seconds")
      assert.isTrue((yield* Fiber.join(asking)).isCompleted)
      assert.isAbove(looks.count, 3)
    }).pipe(Effect.provide(worker.pipe(Layer.provideMerge(watched(looks)), Layer.provideMerge(layerInboxPorts))))
  })

  it.effect("looks at the run less and less often (core 13)", () => {
    const looks = { count: 0, failing: 0 }
    return Effect.gen(function* () {
      const { asking, feeds } = yield* poll()
      feeds.before = () => Effect.sleep("15 seconds")
      yield* TestClock.adjust("14 seconds")
      assert.isAtMost(looks.count, 15)
      yield* TestClock.adjust("6 seconds")
      yield* Fiber.join(asking)
    }).pipe(Effect.provide(worker.pipe(Layer.provideMerge(watched(looks)), Layer.provideMerge(layerInboxPorts))))
  })

  it.effect("joins a poll of the same scope that is waited for (M6)", () =>
    Effect.gen(function* () {
      const { asking, feeds, id } = yield* poll()
      feeds.before = () => Effect.sleep("3 seconds")
      yield* TestClock.adjust("1 second")
      const second = yield* Effect.forkChild((yield* Sync).poll(yield* enter(id)))
      yield* TestClock.adjust("9 seconds")
      assert.strictEqual((yield* Fiber.join(second)).id, (yield* Fiber.join(asking)).id)
    }).pipe(Effect.provide(worker.pipe(Layer.provideMerge(layerInbox))))
  )

  it.effect("reads what became of the accounts once, at its end (M6)", () => {
    const looks = { count: 0, failing: 0, reads: 0 }
    return Effect.gen(function* () {
      const { asking, feeds } = yield* poll()
      feeds.before = () => Effect.sleep("3 seconds")
      yield* TestClock.adjust("20 seconds")
      assert.isTrue((yield* Fiber.join(asking)).isCompleted)
      assert.strictEqual(looks.reads, 1)
    }).pipe(Effect.provide(worker.pipe(Layer.provideMerge(watched(looks)), Layer.provideMerge(layerInboxPorts))))
  })

  it.effect("ends soon after the run does", () =>
    Effect.gen(function* () {
      const { asking, feeds } = yield* poll()
      feeds.before = () => Effect.sleep("3 seconds")
      yield* TestClock.adjust("9 seconds")
      assert.isDefined(asking.pollUnsafe())
    }).pipe(Effect.provide(worker.pipe(Layer.provideMerge(layerInbox))))
  )
})
