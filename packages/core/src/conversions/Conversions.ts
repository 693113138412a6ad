import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type { IdempotencyConflict, JobAlreadyEnded, JobNotFound } from "../jobs/JobErrors.ts"
import type { JobSignals } from "../jobs/JobSignals.ts"
import { isMediaId, makeJobCalls } from "../jobs/makeJobCalls.ts"
import type { FailedJob, JobStatus } from "../jobs/MediaJob.ts"
import type { IdempotencyKey } from "../kernel/IdempotencyKey.ts"
import type { WorkspaceId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { BlobStore } from "../media/BlobStore.ts"
import { MediaNotFound, type WorkspaceErased } from "../media/MediaErrors.ts"
import type { MediaStore } from "../media/MediaStore.ts"
import { GifMediaRequired, InvalidBackgroundColor } from "./ConversionErrors.ts"
import {
  BackgroundColor,
  type ConversionFailureCode,
  type ConversionJob,
  type ConversionTask
} from "./ConversionJob.ts"
import { conversionKind } from "./conversionKind.ts"
import { ConversionStore } from "./ConversionStore.ts"
import { judgeSubmit, type SubmitRefused } from "./judgeSubmit.ts"
import { traced } from "../kernel/traced.ts"

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
    ) => Effect.Effect<
      FailedJob<ConversionTask, ConversionFailureCode>,
      JobNotFound | JobAlreadyEnded | StoreUnavailable
    >
  }
>()("@loopbox/core/conversions/Conversions") {
  static readonly layer: Layer.Layer<
    Conversions,
    never,
    ConversionStore | JobSignals | MediaStore | BlobStore | SecureRandom
  > = Layer.effect(
    Conversions,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const jobs = yield* makeJobCalls(conversionKind, yield* ConversionStore)

  const submit = Effect.fnUntraced(function* (request: SubmitConversion) {
    const { idempotencyKey, workspaceId } = request
    const gifMediaId = Option.getOrElse(request.gifMediaId, () => "")
    if (gifMediaId.trim() === "") return yield* new GifMediaRequired()
    const backgroundColor = yield* toBackgroundColor(Option.getOrElse(request.backgroundColor, () => "#FFFFFF"))
    const replay = yield* jobs.findReplay(
      workspaceId,
      idempotencyKey,
      (task) => task.gifMediaId === gifMediaId && task.backgroundColor === backgroundColor
    )
    if (Option.isSome(replay)) return replay.value
    if (!isMediaId(gifMediaId)) return yield* new MediaNotFound({ mediaId: gifMediaId })
    const task = { gifMediaId, backgroundColor }
    return yield* jobs.submit({ workspaceId, task, idempotencyKey }, ({ now, stored }, facts) =>
      judgeSubmit({ mediaId: gifMediaId, hasBytes: stored.has(gifMediaId), now }, facts)
    )
  }, traced("Conversions.submit"))

  return Conversions.of({
    submit,
    find: Effect.fn("Conversions.find")(jobs.find),
    list: jobs.list,
    cancel: Effect.fn("Conversions.cancel")(jobs.cancel)
  })
})

const isBackgroundColor = Schema.is(BackgroundColor)

const toBackgroundColor = (given: string): Effect.Effect<BackgroundColor, InvalidBackgroundColor> => {
  // The text is checked before `toUpperCase`, which can turn other letters into hex digits (the ligature ff into FF).
  const color = /^#[0-9a-f]{6}$/i.test(given) ? given.toUpperCase() : ""
  return isBackgroundColor(color) ? Effect.succeed(color) : Effect.fail(new InvalidBackgroundColor({ given }))
}
