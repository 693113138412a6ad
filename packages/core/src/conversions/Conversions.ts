import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { ConversionJobId, MediaId, nextConversionJobId, type WorkspaceId } from "../kernel/Ids.ts"
import { LeaseClock } from "../kernel/lease/LeaseClock.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { BlobStore } from "../media/BlobStore.ts"
import { MediaNotFound, type WorkspaceErased } from "../media/MediaErrors.ts"
import { MediaStore } from "../media/MediaStore.ts"
import {
  GifMediaRequired,
  IdempotencyConflict,
  InvalidBackgroundColor,
  type JobAlreadyEnded,
  JobNotFound
} from "./ConversionErrors.ts"
import { BackgroundColor, type ConversionJob, type FailedJob, type JobStatus } from "./ConversionJob.ts"
import type { IdempotencyKey } from "../kernel/IdempotencyKey.ts"
import { ConversionSignals } from "./ConversionSignals.ts"
import { ConversionStore, type SubmitRefused } from "./ConversionStore.ts"
import { canceledFailure } from "./failures.ts"
import { judgeSubmit } from "./judgeSubmit.ts"

export interface SubmitConversion {
  readonly workspaceId: WorkspaceId
  /** The media id as given; absent, blank and unknown ids have different refusals. */
  readonly gifMediaId: Option.Option<string>
  /** `#RRGGBB` in either case; white when absent. */
  readonly backgroundColor: Option.Option<string>
  readonly idempotencyKey: Option.Option<IdempotencyKey>
}

export type SubmitFailed =
  | GifMediaRequired
  | InvalidBackgroundColor
  | IdempotencyConflict
  | SubmitRefused
  | WorkspaceErased
  | StoreUnavailable

/** Driving service: queues, reads and cancels GIF conversions (§4.3, §4.4). */
export class Conversions extends Context.Service<
  Conversions,
  {
    /**
     * Queues one conversion. A replay of the same key and input returns the current state of the same job, without
     * using quota (§4.3).
     *
     * Refusals are checked in the order of api.md §6.
     */
    readonly submit: (request: SubmitConversion) => Effect.Effect<ConversionJob, SubmitFailed>
    readonly find: (
      workspaceId: WorkspaceId,
      id: string
    ) => Effect.Effect<ConversionJob, JobNotFound | StoreUnavailable>
    /** Newest first. */
    readonly list: (
      workspaceId: WorkspaceId,
      status: Option.Option<JobStatus>,
      page: PageRequest
    ) => Effect.Effect<Page<ConversionJob>, StoreUnavailable>
    /** Ends a queued or processing job. It still counts for the quota. */
    readonly cancel: (
      workspaceId: WorkspaceId,
      id: string
    ) => Effect.Effect<FailedJob, JobNotFound | JobAlreadyEnded | StoreUnavailable>
  }
>()("@loopbox/core/conversions/Conversions") {
  static readonly layer: Layer.Layer<
    Conversions,
    never,
    ConversionStore | ConversionSignals | MediaStore | BlobStore | SecureRandom
  > = Layer.effect(
    Conversions,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const store = yield* ConversionStore
  const signals = yield* ConversionSignals
  const records = yield* MediaStore
  const blobs = yield* BlobStore
  const random = yield* SecureRandom
  const leaseNow = yield* LeaseClock

  /** The bytes may be missing although the record exists; the job would only fail. */
  const hasBytes = Effect.fnUntraced(function* (workspaceId: WorkspaceId, mediaId: MediaId) {
    const media = yield* records.find(workspaceId, mediaId)
    if (Option.isNone(media) || media.value._tag === "PendingMedia") return false
    return Option.isSome(yield* blobs.size(media.value.blobKey))
  })

  /** The earlier job of this key, if its input is the same. */
  const findReplay = Effect.fnUntraced(function* (
    { idempotencyKey, workspaceId }: SubmitConversion,
    mediaId: string,
    backgroundColor: BackgroundColor
  ) {
    if (Option.isNone(idempotencyKey)) return Option.none<ConversionJob>()
    const job = yield* store.findByKey(workspaceId, idempotencyKey.value)
    if (Option.isNone(job)) return job
    const isSame = job.value.gifMediaId === mediaId && job.value.backgroundColor === backgroundColor
    return isSame ? job : yield* new IdempotencyConflict({ jobId: job.value.id })
  })

  const submit = Effect.fn("Conversions.submit")(function* (request: SubmitConversion) {
    const { idempotencyKey, workspaceId } = request
    const mediaId = Option.getOrElse(request.gifMediaId, () => "")
    if (mediaId.trim() === "") return yield* new GifMediaRequired()
    const backgroundColor = yield* toBackgroundColor(Option.getOrElse(request.backgroundColor, () => "#FFFFFF"))
    const replay = yield* findReplay(request, mediaId, backgroundColor)
    if (Option.isSome(replay)) return replay.value
    if (!isMediaId(mediaId)) return yield* new MediaNotFound({ mediaId })
    const isThere = yield* hasBytes(workspaceId, mediaId)
    const id = yield* nextConversionJobId(random)
    const createdAt = yield* DateTime.now
    const job = yield* store.submit(
      {
        id,
        workspaceId,
        gifMediaId: mediaId,
        backgroundColor,
        idempotencyKey,
        createdAt,
        claimableAt: yield* leaseNow
      },
      (facts) => judgeSubmit({ mediaId, hasBytes: isThere, now: createdAt }, facts)
    )
    if (job.id === id) yield* signals.tell({ _tag: "Submitted" })
    return job
  })

  const find = Effect.fn("Conversions.find")(function* (workspaceId: WorkspaceId, id: string) {
    const job = isJobId(id) ? yield* store.find(workspaceId, id) : Option.none<ConversionJob>()
    if (Option.isNone(job)) return yield* new JobNotFound({ jobId: id })
    return job.value
  })

  const cancel = Effect.fn("Conversions.cancel")(function* (workspaceId: WorkspaceId, id: string) {
    if (!isJobId(id)) return yield* new JobNotFound({ jobId: id })
    const job = yield* store.cancel(workspaceId, id, canceledFailure, yield* DateTime.now)
    yield* signals.tell({ _tag: "Canceled", jobId: id })
    return job
  })

  return Conversions.of({ submit, find, list: store.list, cancel })
})

const isMediaId = Schema.is(MediaId)
const isJobId = Schema.is(ConversionJobId)
const isBackgroundColor = Schema.is(BackgroundColor)

const toBackgroundColor = (given: string): Effect.Effect<BackgroundColor, InvalidBackgroundColor> => {
  // The text is checked before `toUpperCase`, which can turn other letters into hex digits (the ligature ff into FF).
  const color = /^#[0-9a-f]{6}$/i.test(given) ? given.toUpperCase() : ""
  return isBackgroundColor(color) ? Effect.succeed(color) : Effect.fail(new InvalidBackgroundColor({ given }))
}
