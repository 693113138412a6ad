import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { canceledFailure, failure } from "@loopbox/core/conversions/failures"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { MediaStore } from "@loopbox/core/media/MediaStore"
import { keepUntil } from "@loopbox/core/retention/Retention"
import {
  always,
  claimAt,
  claimed,
  conversion,
  epoch,
  keptUntil,
  makeGif,
  makeOutput,
  makeQueued,
  makeWorkspace,
  openConnections,
  type StorePorts,
  storeWorld
} from "../../fixtures/storeFixtures.ts"

/** How jobs end. */
export const conversionSettleSuite = <E>(adapter: string, stores: Layer.Layer<StorePorts, E>) =>
  layer(storeWorld(stores))(`ConversionStore, settle: ${adapter}`, (it) => {
    it.effect("ends a job with its output's record and keeps both as long as the plan says", () =>
      Effect.gen(function* () {
        const [store, media] = [yield* ConversionStore, yield* MediaStore]
        const now = yield* epoch
        const workspace = yield* makeWorkspace("growth", now)
        const {
          id,
          task: { gifMediaId }
        } = yield* makeQueued(workspace.id, now)
        const claim = yield* claimed(now)
        const end = DateTime.add(now, { seconds: 3 })
        const output = yield* makeOutput(claim)
        const job = yield* store.succeed(claim, output, end)
        assert.deepStrictEqual([job.outputMediaId, job.completedAt, job.startedAt], [output.id, end, now])
        assert.deepStrictEqual(yield* store.find(workspace.id, id), Option.some(job))
        const made = Option.getOrThrow(yield* media.find(workspace.id, output.id))
        assert.isTrue(
          made._tag === "ReadyMedia" && made.source === "gif_conversion" && made.contentType === "video/mp4"
        )
        assert.deepStrictEqual(made._tag === "ReadyMedia" && made.jobId, Option.some(id))
        assert.deepStrictEqual(made._tag === "ReadyMedia" && made.durationMs, Option.some(5_000))
        const until = keepUntil("growth", "succeeded", end)
        assert.deepStrictEqual(made.keepUntil, until)
        assert.deepStrictEqual(yield* keptUntil(workspace.id, gifMediaId), until)
      })
    )

    it.effect("answers the same when the claim that ended a job repeats itself", () =>
      Effect.gen(function* () {
        const [store, media] = [yield* ConversionStore, yield* MediaStore]
        const now = yield* epoch
        const workspace = yield* makeWorkspace("team", now)
        yield* makeQueued(workspace.id, now)
        const claim = yield* claimed(now)
        const output = yield* makeOutput(claim)
        const job = yield* store.succeed(claim, output, now)
        assert.deepStrictEqual(yield* store.succeed(claim, output, DateTime.add(now, { seconds: 1 })), job)
        assert.strictEqual((yield* media.list(workspace.id, { limit: 10, after: Option.none() })).items.length, 2)
        const late = yield* Effect.flip(store.fail(claim, failure("gif_decode_failed"), now))
        assert.strictEqual(late._tag, "LeaseLost")

        yield* makeQueued(workspace.id, now)
        const failing = yield* claimed(now)
        const failed = yield* store.fail(failing, failure("gif_decode_failed"), now)
        assert.deepStrictEqual(yield* store.fail(failing, failure("gif_decode_failed"), now), failed)
        const later = yield* Effect.flip(store.succeed(failing, yield* makeOutput(failing), now))
        assert.strictEqual(later._tag, "LeaseLost")
      })
    )

    it.effect("keeps the input of several jobs until the latest of their dates", () =>
      Effect.gen(function* () {
        const store = yield* ConversionStore
        const now = yield* epoch
        const at = (hours: number) => DateTime.add(now, { hours })
        const workspace = yield* makeWorkspace("team", now)
        const input = yield* makeGif(workspace.id, now)
        yield* store.submit(yield* conversion(input, now), always)
        yield* store.submit(yield* conversion(input, at(1)), always)
        const [first, second] = [yield* claimed(at(1)), yield* claimed(at(1))]
        yield* store.succeed(first, yield* makeOutput(first), at(1))
        assert.deepStrictEqual(yield* keptUntil(workspace.id, input.id), keepUntil("team", "succeeded", at(1)))
        yield* store.fail(second, failure("gif_decode_failed"), at(2))
        assert.deepStrictEqual(yield* keptUntil(workspace.id, input.id), keepUntil("team", "failed", at(2)))

        yield* store.submit(yield* conversion(input, at(3)), always)
        const third = yield* claimed(at(3))
        yield* store.succeed(third, yield* makeOutput(third), at(3))
        assert.deepStrictEqual(yield* keptUntil(workspace.id, input.id), keepUntil("team", "failed", at(2)))
      })
    )

    it.effect("cancels a queued and a processing job, and takes the lease from its worker", () =>
      Effect.gen(function* () {
        const store = yield* ConversionStore
        const now = yield* epoch
        const workspace = yield* makeWorkspace("free", now)
        const queued = yield* makeQueued(workspace.id, now)
        const end = DateTime.add(now, { seconds: 1 })
        const canceled = yield* store.cancel(workspace.id, queued.id, canceledFailure, end)
        assert.deepStrictEqual([canceled.startedAt, canceled.progress], [Option.none(), Option.none()])
        assert.deepStrictEqual([canceled.attempts, canceled.failure], [0, canceledFailure])
        assert.deepStrictEqual(yield* store.find(workspace.id, queued.id), Option.some(canceled))
        assert.deepStrictEqual(yield* keptUntil(workspace.id, queued.task.gifMediaId), keepUntil("free", "failed", end))
        assert.strictEqual((yield* claimAt(end))._tag, "Nothing")

        yield* makeQueued(workspace.id, now)
        const claim = yield* claimed(now)
        const stopped = yield* store.cancel(workspace.id, claim.job.id, canceledFailure, end)
        assert.deepStrictEqual([stopped.startedAt, stopped.progress], [Option.some(now), Option.some(0)])
        for (const settle of [
          store.succeed(claim, yield* makeOutput(claim), end),
          store.fail(claim, failure("gif_decode_failed"), end),
          store.renew(claim, end, 0.5)
        ]) {
          assert.strictEqual((yield* Effect.flip(Effect.asVoid(settle)))._tag, "LeaseLost")
        }
      })
    )

    it.effect("cancels no job twice, none that has ended and none of another workspace", () =>
      Effect.gen(function* () {
        const store = yield* ConversionStore
        const now = yield* epoch
        const [workspace, other] = [yield* makeWorkspace("free", now), yield* makeWorkspace("free", now)]
        const { id } = yield* makeQueued(workspace.id, now)
        const foreign = yield* Effect.flip(store.cancel(other.id, id, canceledFailure, now))
        assert.strictEqual(foreign._tag, "JobNotFound")
        yield* store.cancel(workspace.id, id, canceledFailure, now)
        const again = yield* Effect.flip(store.cancel(workspace.id, id, canceledFailure, now))
        assert.strictEqual(again._tag, "JobAlreadyEnded")
      })
    )

    it.effect("lets either the cancel or the worker end a job, never both", () =>
      Effect.gen(function* () {
        const [store, media] = [yield* ConversionStore, yield* MediaStore]
        const now = yield* epoch
        const workspace = yield* makeWorkspace("team", now)
        yield* openConnections(workspace.id)
        yield* Effect.forEach(Array.from({ length: 10 }), () => makeQueued(workspace.id, now))
        const claims = yield* Effect.forEach(Array.from({ length: 10 }), () => claimed(now))
        const outcomes = yield* Effect.forEach(
          claims,
          (claim) =>
            Effect.gen(function* () {
              const output = yield* makeOutput(claim)
              const [settled, canceled] = yield* Effect.all(
                [
                  Effect.result(store.succeed(claim, output, now)),
                  Effect.result(store.cancel(workspace.id, claim.job.id, canceledFailure, now))
                ],
                { concurrency: "unbounded" }
              )
              const hasOutput = Option.isSome(yield* media.find(workspace.id, output.id))
              return Result.isSuccess(settled) !== Result.isSuccess(canceled) && hasOutput === Result.isSuccess(settled)
            }),
          { concurrency: "unbounded" }
        )
        assert.isTrue(outcomes.every((isRight) => isRight))
      })
    )

    it.effect("tells how many jobs wait and run, and since when the oldest waits", () =>
      Effect.gen(function* () {
        const store = yield* ConversionStore
        const now = yield* epoch
        const before = yield* store.depth
        const workspace = yield* makeWorkspace("team", now)
        yield* makeQueued(workspace.id, now)
        yield* makeQueued(workspace.id, DateTime.add(now, { seconds: 1 }))
        yield* claimed(now)
        const after = yield* store.depth
        assert.strictEqual(after.counts.queued - before.counts.queued, 1)
        assert.strictEqual(after.counts.processing - before.counts.processing, 1)
        assert.deepStrictEqual(after.oldestAt, Option.some(DateTime.add(now, { seconds: 1 })))
      })
    )
  })
