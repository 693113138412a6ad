import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import type { SubmitFacts } from "@loopbox/core/jobs/JobStore"
import { MediaStore } from "@loopbox/core/media/MediaStore"
import { overlayKind } from "@loopbox/core/overlays/overlayKind"
import { OverlayStore } from "@loopbox/core/overlays/OverlayStore"
import { CapacityExceeded } from "@loopbox/core/quota/QuotaErrors"
import { keepUntil } from "@loopbox/core/retention/Retention"
import { RetentionStore } from "@loopbox/core/retention/RetentionStore"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { redactNames } from "../fixtures/inboxFixtures.ts"
import { claimedOverlay, makeQueuedOverlay, makeSound, makeVideo, overlay } from "../fixtures/overlayFixtures.ts"
import {
  always,
  claimAt,
  conversion,
  epoch,
  keptUntil,
  makeGif,
  makeOutput,
  makeQueued,
  makeWorkspace,
  type StorePorts,
  storeWorld
} from "../fixtures/storeFixtures.ts"
import { jobLeaseContract } from "./jobLeaseContract.ts"

const { abandoned, canceled, timedOut } = overlayKind.failures

/** What every adapter of the port OverlayStore does, beside conversions in the same store. */
export const overlayStoreContract = <E>(adapter: string, stores: Layer.Layer<StorePorts, E>) => {
  layer(storeWorld(stores))(`OverlayStore, lease: ${adapter}`, (it) => {
    jobLeaseContract(it, {
      what: "overlay",
      store: Effect.service(OverlayStore),
      queue: makeQueuedOverlay,
      failure: abandoned
    })
  })

  layer(storeWorld(stores))(`OverlayStore: ${adapter}`, (it) => {
    it.effect("keeps what an overlay is asked for, and finds it as it was given", () =>
      Effect.gen(function* () {
        const store = yield* OverlayStore
        const now = yield* epoch
        const workspace = yield* makeWorkspace("free", now)
        const [video, audio] = [yield* makeVideo(workspace.id, now), yield* makeSound(workspace.id, now)]
        const settings = {
          mode: "replace",
          videoVolume: 0,
          audioVolume: 37,
          audioStartMs: 250,
          fit: "loop_to_video"
        } as const
        const made = yield* overlay(video, audio, now, { settings })
        const job = yield* store.submit(made, always)
        assert.deepStrictEqual(job.task, { videoMediaId: video.id, audioMediaId: audio.id, settings })
        assert.deepStrictEqual(yield* store.find(workspace.id, job.id), Option.some(job))
        const claim = yield* claimedOverlay(now)
        assert.deepStrictEqual(claim.job.task, job.task)
        assert.deepStrictEqual(
          claim.inputs,
          new Map([
            [video.id, video],
            [audio.id, audio]
          ])
        )
      })
    )

    it.effect("shows the judge both files, active jobs of both kinds, and conversions only as conversions", () =>
      Effect.gen(function* () {
        const store = yield* OverlayStore
        const now = yield* epoch
        const workspace = yield* makeWorkspace("team", now)
        yield* makeQueued(workspace.id, now)
        const { audio, video } = yield* makeQueuedOverlay(workspace.id, now)
        let seen: SubmitFacts | undefined
        const refused = Result.fail(new CapacityExceeded({ limit: 0 }))
        yield* Effect.flip(
          store.submit(yield* overlay(video, audio, now), (facts) => {
            seen = facts
            return refused
          })
        )
        assert.deepStrictEqual(
          seen?.inputs,
          new Map([
            [video.id, video],
            [audio.id, audio]
          ])
        )
        assert.deepStrictEqual(seen?.admission, { activeJobs: 2, conversions: 1, blocking: Option.none() })
        yield* Effect.flip(
          (yield* ConversionStore).submit(yield* conversion(yield* makeGif(workspace.id, now), now), (facts) => {
            seen = facts
            return refused
          })
        )
        assert.deepStrictEqual(seen?.admission, { activeJobs: 2, conversions: 1, blocking: Option.none() })
      })
    )

    it.effect("has keys apart from those of conversions, and refuses one of its own with another input", () =>
      Effect.gen(function* () {
        const store = yield* OverlayStore
        const now = yield* epoch
        const workspace = yield* makeWorkspace("team", now)
        const [video, audio] = [yield* makeVideo(workspace.id, now), yield* makeSound(workspace.id, now)]
        const gif = yield* makeGif(workspace.id, now)
        const converted = yield* (yield* ConversionStore).submit(yield* conversion(gif, now, "key"), always)
        const job = yield* store.submit(yield* overlay(video, audio, now, { key: "key" }), always)
        assert.notStrictEqual(job.id, converted.id)
        const again = yield* store.submit(yield* overlay(video, audio, now, { key: "key" }), always)
        assert.deepStrictEqual(again, job)
        const louder = yield* overlay(video, audio, now, { key: "key", settings: { audioVolume: 99 } })
        assert.strictEqual((yield* Effect.flip(store.submit(louder, always)))._tag, "IdempotencyConflict")
        const swapped = yield* overlay(audio, video, now, { key: "key" })
        assert.strictEqual((yield* Effect.flip(store.submit(swapped, always)))._tag, "IdempotencyConflict")
      })
    )

    it.effect("neither finds, lists, claims nor cancels a conversion, and is not seen by that store", () =>
      Effect.gen(function* () {
        const [store, conversions] = [yield* OverlayStore, yield* ConversionStore]
        const now = yield* epoch
        const workspace = yield* makeWorkspace("team", now)
        const gif = yield* makeQueued(workspace.id, now)
        const { job } = yield* makeQueuedOverlay(workspace.id, now)
        const page = { limit: 10, after: Option.none() }
        assert.deepStrictEqual((yield* store.list(workspace.id, Option.none(), page)).items, [job])
        assert.deepStrictEqual((yield* conversions.list(workspace.id, Option.none(), page)).items, [gif])
        assert.deepStrictEqual(yield* store.find(workspace.id, gif.id), Option.none())
        assert.deepStrictEqual(yield* conversions.find(workspace.id, job.id), Option.none())
        const other = yield* Effect.flip(store.cancel(workspace.id, gif.id, canceled, now))
        assert.strictEqual(other._tag, "JobNotFound")
        assert.strictEqual((yield* claimedOverlay(now)).job.id, job.id)
        const claim = yield* claimAt(now)
        assert.strictEqual(claim._tag === "Claimed" && claim.claim.job.id, gif.id)
        assert.strictEqual((yield* claimAt(now))._tag, "Nothing")
      })
    )

    it.effect("ends a job with a video of its own source, and keeps all three files as long as the plan says", () =>
      Effect.gen(function* () {
        const [store, media] = [yield* OverlayStore, yield* MediaStore]
        const now = yield* epoch
        const workspace = yield* makeWorkspace("growth", now)
        const { audio, job, video } = yield* makeQueuedOverlay(workspace.id, now)
        const claim = yield* claimedOverlay(now)
        const end = DateTime.add(now, { seconds: 3 })
        const output = yield* makeOutput(claim)
        const ended = yield* store.succeed(claim, output, end)
        assert.deepStrictEqual(yield* store.find(workspace.id, job.id), Option.some(ended))
        const made = Option.getOrThrow(yield* media.find(workspace.id, output.id))
        assert.strictEqual(made._tag === "ReadyMedia" && made.source, "audio_overlay")
        assert.deepStrictEqual(made._tag === "ReadyMedia" && made.jobId, Option.some(job.id))
        const listed = yield* media.list(workspace.id, { limit: 10, after: Option.none() })
        assert.deepStrictEqual(
          listed.items.find(({ id }) => id === made.id),
          made
        )
        const until = keepUntil("growth", "succeeded", end)
        for (const id of [output.id, video.id, audio.id]) {
          assert.deepStrictEqual(yield* keptUntil(workspace.id, id), until)
        }
      })
    )

    it.effect("keeps both files after a failure and after a cancel, and tells why it failed", () =>
      Effect.gen(function* () {
        const store = yield* OverlayStore
        const now = yield* epoch
        const workspace = yield* makeWorkspace("team", now)
        const until = keepUntil("team", "failed", now)
        const first = yield* makeQueuedOverlay(workspace.id, now)
        const failed = yield* store.fail(yield* claimedOverlay(now), timedOut, now)
        assert.deepStrictEqual(failed.failure, timedOut)
        const second = yield* makeQueuedOverlay(workspace.id, now)
        const stopped = yield* store.cancel(workspace.id, second.job.id, canceled, now)
        assert.deepStrictEqual([stopped.failure, stopped.startedAt], [canceled, Option.none()])
        for (const { audio, video } of [first, second]) {
          assert.deepStrictEqual(yield* keptUntil(workspace.id, video.id), until)
          assert.deepStrictEqual(yield* keptUntil(workspace.id, audio.id), until)
        }
      })
    )

    it.effect("gives a job up whose workers were lost", () =>
      Effect.gen(function* () {
        const store = yield* OverlayStore
        const now = yield* epoch
        const workspace = yield* makeWorkspace("team", now)
        const { job } = yield* makeQueuedOverlay(workspace.id, now)
        yield* claimedOverlay(now)
        const later = DateTime.add(now, { seconds: 15 })
        const request = { token: "late", now: later, leaseNow: later, leaseUntil: later, maxAttempts: 1 }
        const outcome = yield* store.claim(request)
        assert.deepStrictEqual(outcome._tag === "Abandoned" && [outcome.job.id, outcome.job.failure], [
          job.id,
          abandoned
        ])
      })
    )

    it.effect("protects both files of an active job from a delete and from the sweep, and no longer", () =>
      Effect.gen(function* () {
        const [store, media, retention] = [yield* OverlayStore, yield* MediaStore, yield* RetentionStore]
        const now = yield* epoch
        const later = DateTime.add(now, { days: 100 })
        const workspace = yield* makeWorkspace("free", now)
        const { audio, job, video } = yield* makeQueuedOverlay(workspace.id, now)
        for (const { id } of [video, audio]) {
          assert.strictEqual((yield* Effect.flip(media.remove(workspace.id, id, now)))._tag, "MediaInUse")
        }
        assert.strictEqual(yield* retention.expire(later, 10), 0)
        yield* store.cancel(workspace.id, job.id, canceled, now)
        assert.strictEqual((yield* media.remove(workspace.id, audio.id, now)).id, audio.id)
        assert.strictEqual(yield* retention.expire(later, 10), 1)
      })
    )

    it.effect("goes with its workspace", () =>
      Effect.gen(function* () {
        const store = yield* OverlayStore
        const now = yield* epoch
        const workspace = yield* makeWorkspace("free", now)
        const { job } = yield* makeQueuedOverlay(workspace.id, now)
        yield* (yield* Workspaces).erase(workspace.id, redactNames)
        assert.deepStrictEqual(yield* store.find(workspace.id, job.id), Option.none())
      })
    )
  })
}
