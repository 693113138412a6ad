import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type { IdempotencyConflict, JobAlreadyEnded, JobNotFound } from "../jobs/JobErrors.ts"
import type { JobSignals } from "../jobs/JobSignals.ts"
import { isMediaId, makeJobCalls } from "../jobs/makeJobCalls.ts"
import type { JobStatus } from "../jobs/MediaJob.ts"
import type { IdempotencyKey } from "../kernel/IdempotencyKey.ts"
import type { MediaId, WorkspaceId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { BlobStore } from "../media/BlobStore.ts"
import { MediaNotFound, type WorkspaceErased } from "../media/MediaErrors.ts"
import type { MediaStore } from "../media/MediaStore.ts"
import { judgeOverlay, type OverlayRefusedToStart } from "./judgeOverlay.ts"
import { AudioMediaRequired, VideoMediaRequired } from "./OverlayErrors.ts"
import type { OverlayJob, OverlayTask } from "./OverlayJob.ts"
import { overlayKind } from "./overlayKind.ts"
import type { OverlaySettings } from "./OverlaySettings.ts"
import { OverlayStore } from "./OverlayStore.ts"

export interface SubmitOverlay {
  readonly workspaceId: WorkspaceId
  /** The media ids as given; absent, blank and unknown ids have different refusals. */
  readonly videoMediaId: Option.Option<string>
  readonly audioMediaId: Option.Option<string>
  readonly settings: OverlaySettings
  readonly idempotencyKey: Option.Option<IdempotencyKey>
}

export type SubmitOverlayFailed =
  | VideoMediaRequired
  | AudioMediaRequired
  | IdempotencyConflict
  | OverlayRefusedToStart
  | WorkspaceErased
  | StoreUnavailable

/** Driving service: queues, reads and cancels audio overlays (api-2.md §12). */
export class Overlays extends Context.Service<
  Overlays,
  {
    /**
     * Queues one overlay. A replay of the same key and input returns the current state of the same job. It counts as an
     * active media job, and not for the conversions of the last 24 hours.
     */
    readonly submit: (request: SubmitOverlay) => Effect.Effect<OverlayJob, SubmitOverlayFailed>
    readonly find: (workspaceId: WorkspaceId, id: string) => Effect.Effect<OverlayJob, JobNotFound | StoreUnavailable>
    /** Newest first. */
    readonly list: (
      workspaceId: WorkspaceId,
      status: Option.Option<JobStatus>,
      page: PageRequest
    ) => Effect.Effect<Page<OverlayJob>, StoreUnavailable>
    /** Ends a queued or processing job. */
    readonly cancel: (
      workspaceId: WorkspaceId,
      id: string
    ) => Effect.Effect<OverlayJob, JobNotFound | JobAlreadyEnded | StoreUnavailable>
  }
>()("@loopbox/core/overlays/Overlays") {
  static readonly layer: Layer.Layer<
    Overlays,
    never,
    OverlayStore | JobSignals | MediaStore | BlobStore | SecureRandom
  > = Layer.effect(
    Overlays,
    Effect.suspend(() => make)
  )
}

const toMediaId = (given: string): Effect.Effect<MediaId, MediaNotFound> =>
  isMediaId(given) ? Effect.succeed(given) : Effect.fail(new MediaNotFound({ mediaId: given }))

const make = Effect.gen(function* () {
  const jobs = yield* makeJobCalls(overlayKind, yield* OverlayStore)

  const submit = Effect.fn("Overlays.submit")(function* (request: SubmitOverlay) {
    const { idempotencyKey, settings, workspaceId } = request
    const video = Option.getOrElse(request.videoMediaId, () => "")
    const audio = Option.getOrElse(request.audioMediaId, () => "")
    if (video.trim() === "") return yield* new VideoMediaRequired()
    if (audio.trim() === "") return yield* new AudioMediaRequired()
    const replay = yield* jobs.findReplay(
      workspaceId,
      idempotencyKey,
      (task) =>
        task.videoMediaId === video && task.audioMediaId === audio && overlayKind.isSame(task, { ...task, settings })
    )
    if (Option.isSome(replay)) return replay.value
    const task: OverlayTask = {
      videoMediaId: yield* toMediaId(video),
      audioMediaId: yield* toMediaId(audio),
      settings
    }
    return yield* jobs.submit({ workspaceId, task, idempotencyKey }, ({ stored }, facts) =>
      judgeOverlay(task, stored, facts)
    )
  })

  return Overlays.of({
    submit,
    find: Effect.fn("Overlays.find")(jobs.find),
    list: jobs.list,
    cancel: Effect.fn("Overlays.cancel")(jobs.cancel)
  })
})
