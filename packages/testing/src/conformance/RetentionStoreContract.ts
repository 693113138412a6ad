import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { canceledFailure } from "@loopbox/core/conversions/failures"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { MediaNotFound } from "@loopbox/core/media/MediaErrors"
import { MediaStore } from "@loopbox/core/media/MediaStore"
import { deletedMediaRowDays, jobRowDays } from "@loopbox/core/retention/Retention"
import { RetentionStore } from "@loopbox/core/retention/RetentionStore"
import {
  claimed,
  conversion,
  epoch,
  makeGif,
  makePending,
  makeQueued,
  makeWorkspace,
  openConnections,
  type StorePorts,
  storeWorld
} from "../fixtures/storeFixtures.ts"

/** The workspace's records whose bytes must be removed. */
const removableOf = Effect.fnUntraced(function* (workspaceId: WorkspaceId) {
  const rows = yield* (yield* RetentionStore).listRemovable(10_000)
  return rows.filter((row) => row.workspaceId === workspaceId)
})

/** What every adapter of the port RetentionStore does. */
export const retentionStoreContract = <E>(adapter: string, stores: Layer.Layer<StorePorts, E>) =>
  layer(storeWorld(stores))(`RetentionStore: ${adapter}`, (it) => {
    it.effect("expires records after their time, not at it", () =>
      Effect.gen(function* () {
        const [retention, media] = [yield* RetentionStore, yield* MediaStore]
        const now = yield* epoch
        const workspace = yield* makeWorkspace("free", now)
        const input = yield* makeGif(workspace.id, now)
        const until = input.keepUntil
        assert.strictEqual(yield* retention.expire(until, 10), 0)
        assert.isTrue(Option.isSome(yield* media.find(workspace.id, input.id)))
        assert.strictEqual(yield* retention.expire(DateTime.add(until, { milliseconds: 1 }), 10), 1)
        assert.deepStrictEqual(yield* media.find(workspace.id, input.id), Option.none())
        assert.deepStrictEqual(yield* removableOf(workspace.id), [
          { workspaceId: workspace.id, id: input.id, blobKey: input.blobKey }
        ])
      })
    )

    it.effect("expires at most the limit at a time, and all in the end", () =>
      Effect.gen(function* () {
        const retention = yield* RetentionStore
        const now = yield* epoch
        const [one, other] = [yield* makeWorkspace("free", now), yield* makeWorkspace("free", now)]
        yield* Effect.forEach([one, other, one, other, one], ({ id }) => makeGif(id, now))
        const later = DateTime.add(now, { days: 2 })
        assert.strictEqual(yield* retention.expire(later, 3), 3)
        assert.strictEqual(yield* retention.expire(later, 3), 2)
        assert.strictEqual(yield* retention.expire(later, 3), 0)
      })
    )

    it.effect("expires nothing that a queued or processing job reads, whatever the clock says", () =>
      Effect.gen(function* () {
        const [retention, media, store] = [yield* RetentionStore, yield* MediaStore, yield* ConversionStore]
        const now = yield* epoch
        const later = DateTime.add(now, { days: 100 })
        const workspace = yield* makeWorkspace("team", now)
        const queued = yield* makeQueued(workspace.id, now)
        const unused = yield* makeGif(workspace.id, now)
        yield* claimed(now)
        const waiting = yield* makeQueued(workspace.id, now)
        // The protected records come first, and are more than the limit.
        assert.strictEqual(yield* retention.expire(later, 1), 1)
        assert.strictEqual(yield* retention.expire(later, 1), 0)
        assert.deepStrictEqual(yield* media.find(workspace.id, unused.id), Option.none())
        for (const job of [queued, waiting]) {
          assert.isTrue(Option.isSome(yield* media.find(workspace.id, job.task.gifMediaId)))
          yield* store.cancel(workspace.id, job.id, canceledFailure, now)
        }
        assert.strictEqual(yield* retention.expire(later, 10), 2)
      })
    )

    it.effect("never expires a file under a job that is submitted at the same time", () =>
      Effect.gen(function* () {
        const [retention, media, store] = [yield* RetentionStore, yield* MediaStore, yield* ConversionStore]
        const now = yield* epoch
        const later = DateTime.add(now, { days: 2 })
        const workspace = yield* makeWorkspace("team", now)
        yield* openConnections(workspace.id)
        const inputs = yield* Effect.forEach(Array.from({ length: 10 }), () => makeGif(workspace.id, now))
        const submits = inputs.map((input) =>
          Effect.flatMap(conversion(input, now), (made) =>
            Effect.result(
              store.submit(made, (facts) =>
                facts.inputs.has(input.id)
                  ? Result.succeed(undefined)
                  : Result.fail(new MediaNotFound({ mediaId: input.id }))
              )
            )
          )
        )
        const [submitted] = yield* Effect.all(
          [Effect.all(submits, { concurrency: "unbounded" }), retention.expire(later, 100)],
          { concurrency: "unbounded" }
        )
        const alive = yield* Effect.forEach(inputs, (input) => media.find(workspace.id, input.id))
        assert.deepStrictEqual(alive.map(Option.isSome), submitted.map(Result.isSuccess))
      })
    )

    it.effect("lists bytes to remove until they are confirmed gone; a reservation has none", () =>
      Effect.gen(function* () {
        const [retention, media] = [yield* RetentionStore, yield* MediaStore]
        const now = yield* epoch
        const workspace = yield* makeWorkspace("free", now)
        const [one, other] = [yield* makeGif(workspace.id, now), yield* makeGif(workspace.id, now)]
        const pending = yield* makePending(workspace.id, now)
        yield* Effect.forEach([one, other, pending], ({ id }) => media.remove(workspace.id, id, now))
        const removable = yield* removableOf(workspace.id)
        assert.strictEqual(removable.length, 2)
        yield* retention.confirmRemoved(removable.filter(({ id }) => id === one.id))
        assert.deepStrictEqual(
          (yield* removableOf(workspace.id)).map(({ id }) => id),
          [other.id]
        )
        yield* retention.confirmRemoved(removable)
        assert.deepStrictEqual(yield* removableOf(workspace.id), [])
        yield* retention.confirmRemoved([])
      })
    )

    it.effect("names the keys that no record has", () =>
      Effect.gen(function* () {
        const [retention, media] = [yield* RetentionStore, yield* MediaStore]
        const now = yield* epoch
        const workspace = yield* makeWorkspace("free", now)
        const live = yield* makeGif(workspace.id, now)
        const deleted = yield* makeGif(workspace.id, now)
        yield* media.remove(workspace.id, deleted.id, now)
        const unknown = `${workspace.id}/unknown`
        assert.deepStrictEqual(yield* retention.findOrphans([live.blobKey, unknown, deleted.blobKey, "stray"]), [
          unknown,
          "stray"
        ])
        assert.deepStrictEqual(yield* retention.findOrphans([]), [])
      })
    )

    it.effect("spares the bytes of a job that may still be settled", () =>
      Effect.gen(function* () {
        const [retention, store] = [yield* RetentionStore, yield* ConversionStore]
        const now = yield* epoch
        const workspace = yield* makeWorkspace("free", now)
        const { id } = yield* makeQueued(workspace.id, now)
        const key = `${workspace.id}/${id}-token`
        assert.deepStrictEqual(yield* retention.findOrphans([key]), [])
        yield* store.cancel(workspace.id, id, canceledFailure, now)
        assert.deepStrictEqual(yield* retention.findOrphans([key]), [key])
      })
    )

    it.effect("deletes ended jobs, with their keys, after their days", () =>
      Effect.gen(function* () {
        const [retention, store] = [yield* RetentionStore, yield* ConversionStore]
        const now = yield* epoch
        const workspace = yield* makeWorkspace("free", now)
        const { id } = yield* makeQueued(workspace.id, now)
        yield* store.cancel(workspace.id, id, canceledFailure, now)
        const active = yield* makeQueued(workspace.id, now)
        yield* retention.purgeRows(DateTime.add(now, { days: jobRowDays, milliseconds: -1 }), 100)
        assert.isTrue(Option.isSome(yield* store.find(workspace.id, id)))
        assert.isTrue((yield* retention.purgeRows(DateTime.add(now, { days: jobRowDays, seconds: 1 }), 100)) > 0)
        assert.deepStrictEqual(yield* store.find(workspace.id, id), Option.none())
        yield* retention.purgeRows(DateTime.add(now, { days: 2 * jobRowDays }), 100)
        assert.isTrue(Option.isSome(yield* store.find(workspace.id, active.id)))
      })
    )

    it.effect("deletes records of removed media after their days, once their bytes are gone", () =>
      Effect.gen(function* () {
        const [retention, media] = [yield* RetentionStore, yield* MediaStore]
        const now = yield* epoch
        const past = DateTime.add(now, { days: deletedMediaRowDays, seconds: 1 })
        const workspace = yield* makeWorkspace("free", now)
        const { blobKey, id } = yield* makeGif(workspace.id, now)
        yield* media.remove(workspace.id, id, now)
        yield* retention.purgeRows(past, 100)
        // Its bytes may still exist, so the record that names them must stay.
        assert.strictEqual((yield* removableOf(workspace.id)).length, 1)
        yield* retention.confirmRemoved(yield* removableOf(workspace.id))
        assert.isTrue((yield* retention.purgeRows(past, 100)) > 0)
        assert.deepStrictEqual(yield* retention.findOrphans([blobKey]), [blobKey])
      })
    )
  })
