import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Exit, Layer, Option, Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { EngineBroken, type ProbeEngine } from "../../src/encoding/Engine.ts"
import type { JobWorkerOptions } from "../../src/jobs/jobWorker.ts"
import type { JobFailure } from "../../src/jobs/MediaJob.ts"
import { BlobStore } from "../../src/media/BlobStore.ts"
import type { ReadyMedia } from "../../src/media/Media.ts"
import type { OverlayFailureCode, OverlayJob } from "../../src/overlays/OverlayJob.ts"
import { overlayKind } from "../../src/overlays/overlayKind.ts"
import { Overlays } from "../../src/overlays/Overlays.ts"
import * as OverlayWorker from "../../src/overlays/OverlayWorker.ts"
import type { Workspace } from "../../src/workspaces/Workspace.ts"
import * as FakeOverlayEncoder from "@loopbox/testing/fakes/FakeOverlayEncoder"
import { bytesOf, findMedia, key, makeWorkspace, submitGif, textBytes } from "@loopbox/testing/fixtures/mediaFixtures"
import { makeSound, makeVideo, plainSettings } from "@loopbox/testing/fixtures/overlayFixtures"
import { layerTest } from "@loopbox/testing/layers/testLayers"

const write = Effect.fnUntraced(function* (media: ReadyMedia) {
  const bytes = new Uint8Array(media.sizeBytes)
  bytes.set(textBytes(media.id))
  yield* BlobStore.use((blobs) => blobs.write(media.blobKey, Stream.make(bytes)))
  return media
})

const files = Effect.fnUntraced(function* (workspace: Workspace) {
  const now = yield* DateTime.now
  return {
    video: yield* Effect.flatMap(makeVideo(workspace.id, now), write),
    audio: yield* Effect.flatMap(makeSound(workspace.id, now), write)
  }
})

const submitFiles = Effect.fnUntraced(function* (
  workspace: Workspace,
  { audio, video }: { readonly video: ReadyMedia; readonly audio: ReadyMedia },
  more: { readonly key?: ReturnType<typeof key>; readonly audioVolume?: number } = {}
) {
  return yield* (yield* Overlays).submit({
    workspaceId: workspace.id,
    videoMediaId: Option.some(video.id),
    audioMediaId: Option.some(audio.id),
    settings: { ...plainSettings, audioVolume: more.audioVolume ?? 100 },
    idempotencyKey: more.key ?? Option.none()
  })
})

const startWorker = Effect.fnUntraced(function* (
  script?: Parameters<typeof FakeOverlayEncoder.layer>[0],
  { probe, ...options }: Partial<JobWorkerOptions> & { readonly probe?: ProbeEngine } = {}
) {
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  const worker = OverlayWorker.layer({ drain: 0, ...options }).pipe(
    Layer.provide(FakeOverlayEncoder.layer(script, probe))
  )
  yield* Layer.buildWithScope(worker, scope)
  return { stop: Scope.close(scope, Exit.void) }
})

/** Moves the clock until the job has ended, at most a minute beyond its time limit. */
const untilEnded = Effect.fnUntraced(function* ({ id, workspaceId }: OverlayJob) {
  for (let moved = 0; moved < 1_500; moved++) {
    const job = yield* (yield* Overlays).find(workspaceId, id)
    if (job._tag === "SucceededJob" || job._tag === "FailedJob") return job
    yield* TestClock.adjust("250 millis")
  }
  return yield* Effect.die(new Error("the job has not ended"))
})

const failureOf = (job: OverlayJob): JobFailure<OverlayFailureCode> =>
  job._tag === "FailedJob" ? job.failure : assert.fail(job._tag)

describe("an overlay", () => {
  it.effect("is queued, made and stored as a file of its own, under the video's name", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const job = yield* submitFiles(workspace, yield* files(workspace))
      assert.strictEqual(job._tag, "QueuedJob")
      yield* startWorker()
      const ended = yield* untilEnded(job)
      const output = yield* findMedia(workspace, ended._tag === "SucceededJob" ? ended.outputMediaId : assert.fail())
      if (output._tag === "PendingMedia") return assert.fail("the output is pending")
      assert.deepInclude(
        { ...output },
        { source: "audio_overlay", contentType: "video/mp4", filename: Option.some("reel.mp4") }
      )
      assert.deepStrictEqual([output.width, output.durationMs], [Option.some(320), Option.some(5_000)])
      assert.deepStrictEqual(
        Option.flatMap(output.traits, ({ audioCodec }) => audioCodec),
        Option.some("mp4a")
      )
      assert.match(new TextDecoder().decode(yield* bytesOf(output)), /^overlaid mpj_/)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("is given again for the same key and input, also when it has ended and its files are gone", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const given = yield* files(workspace)
      const job = yield* submitFiles(workspace, given, { key: key("k") })
      yield* startWorker()
      const ended = yield* untilEnded(job)
      yield* BlobStore.use((blobs) => blobs.remove(given.audio.blobKey))
      assert.deepStrictEqual(yield* submitFiles(workspace, given, { key: key("k") }), ended)
      const other = yield* Effect.flip(submitFiles(workspace, given, { key: key("k"), audioVolume: 1 }))
      assert.strictEqual(other._tag, "IdempotencyConflict")
      assert.strictEqual((yield* Effect.flip(submitFiles(workspace, given)))._tag, "InputMediaUnavailable")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("shares the active jobs of the plan with conversions, both ways", () =>
    Effect.gen(function* () {
      const first = yield* makeWorkspace()
      const given = yield* files(first)
      yield* submitGif(first)
      assert.strictEqual((yield* Effect.flip(submitFiles(first, given)))._tag, "CapacityExceeded")
      const second = yield* makeWorkspace()
      yield* submitFiles(second, yield* files(second))
      assert.strictEqual((yield* Effect.flip(submitGif(second)))._tag, "CapacityExceeded")
    }).pipe(Effect.provide(layerTest))
  )

  const verdicts = [
    ["Undecodable", overlayKind.failures.abandoned.code, false],
    ["Rejected", "audio_overlay_failed", false],
    ["MachineFailed", "audio_overlay_failed", true],
    ["OutputTooLarge", "output_size_exceeded", false]
  ] as const
  for (const [reason, code, retryable] of verdicts) {
    it.effect(`whose encoder says ${reason} fails with ${code}${retryable ? ", and may be tried again" : ""}`, () =>
      Effect.gen(function* () {
        const workspace = yield* makeWorkspace()
        const job = yield* submitFiles(workspace, yield* files(workspace))
        yield* startWorker(() => ({ kind: "fail", reason }))
        const failure = failureOf(yield* untilEnded(job))
        assert.deepStrictEqual([failure.code, failure.retryable], [code, retryable])
        assert.match(failure.message, /^[A-Z].*\.$/)
      }).pipe(Effect.provide(layerTest))
    )
  }

  for (const reason of ["Undecodable", "Rejected"] as const) {
    it.effect(`whose encoder is broken may be tried again (${reason}); the next one waits until it works`, () =>
      Effect.gen(function* () {
        let isMended = false
        const broken = Effect.fail(new EngineBroken({ detail: "it exits with 1" }))
        yield* startWorker(() => (isMended ? { kind: "succeed" } : { kind: "fail", reason }), {
          probe: Effect.suspend(() => (isMended ? Effect.void : broken))
        })
        const workspace = yield* makeWorkspace()
        const failure = failureOf(yield* untilEnded(yield* submitFiles(workspace, yield* files(workspace))))
        assert.deepStrictEqual([failure.code, failure.retryable], ["audio_overlay_failed", true])
        const next = yield* submitFiles(workspace, yield* files(workspace))
        yield* TestClock.adjust("5 minutes")
        assert.strictEqual((yield* (yield* Overlays).find(workspace.id, next.id))._tag, "QueuedJob")
        isMended = true
        assert.strictEqual((yield* untilEnded(next))._tag, "SucceededJob")
      }).pipe(Effect.provide(layerTest))
    )
  }

  it.effect("whose video grew too large does not make its worker look broken", () =>
    Effect.gen(function* () {
      let trials = 0
      const probe = Effect.sync(() => void trials++)
      yield* startWorker(() => ({ kind: "fail", reason: "OutputTooLarge" }), { probe })
      const workspace = yield* makeWorkspace()
      yield* untilEnded(yield* submitFiles(workspace, yield* files(workspace)))
      assert.strictEqual(trials, 0)
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("ends after five minutes of work", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const job = yield* submitFiles(workspace, yield* files(workspace))
      yield* startWorker(() => ({ kind: "hang" }))
      yield* TestClock.adjust("4 minutes")
      const running = yield* (yield* Overlays).find(workspace.id, job.id)
      assert.strictEqual(running._tag === "ProcessingJob" && running.progress, 0.5)
      assert.strictEqual(failureOf(yield* untilEnded(job)).code, "processing_timeout")
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("that is canceled has ended at once, and its files may go", () =>
    Effect.gen(function* () {
      const overlays = yield* Overlays
      const workspace = yield* makeWorkspace()
      const job = yield* submitFiles(workspace, yield* files(workspace))
      yield* startWorker(() => ({ kind: "hang" }))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(failureOf(yield* overlays.cancel(workspace.id, job.id)).code, "canceled")
      const again = yield* Effect.flip(overlays.cancel(workspace.id, job.id))
      assert.strictEqual(again._tag, "JobAlreadyEnded")
      yield* submitFiles(workspace, yield* files(workspace))
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("goes to another worker when its own stops, and no attempt is lost", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const job = yield* submitFiles(workspace, yield* files(workspace))
      const { stop } = yield* startWorker(() => ({ kind: "hang" }))
      yield* TestClock.adjust("1 second")
      yield* stop
      yield* startWorker()
      const ended = yield* untilEnded(job)
      assert.deepStrictEqual([ended._tag, ended.attempts], ["SucceededJob", 1])
    }).pipe(Effect.provide(layerTest))
  )
})
