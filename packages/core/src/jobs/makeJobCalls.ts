import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { inTraceOf } from "../kernel/recordTrace.ts"
import type { IdempotencyKey } from "../kernel/IdempotencyKey.ts"
import { ConversionJobId, MediaId, nextConversionJobId, type WorkspaceId } from "../kernel/Ids.ts"
import { LeaseClock } from "../kernel/lease/LeaseClock.ts"
import { BlobStore } from "../media/BlobStore.ts"
import { MediaStore } from "../media/MediaStore.ts"
import { IdempotencyConflict, JobNotFound } from "./JobErrors.ts"
import type { JobKind } from "./JobKind.ts"
import { JobSignals } from "./JobSignals.ts"
import type { JobStore, SubmitFacts } from "./JobStore.ts"
import type { MediaJob } from "./MediaJob.ts"

/** What a submit is judged by, besides what the store reads. */
export interface Submitted {
  /** The inputs whose bytes are there. */
  readonly stored: ReadonlySet<MediaId>
  readonly now: DateTime.Utc
}

const isJobId = Schema.is(ConversionJobId)

export const isMediaId = Schema.is(MediaId)

/** What callers do with the jobs of one kind. */
export const makeJobCalls = Effect.fnUntraced(function* <Task, Code extends string>(
  kind: JobKind<Task, Code>,
  store: JobStore<Task, Code>
) {
  const signals = yield* JobSignals
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

  /** The earlier job of this key, if `isSame` says that it was asked for the same. */
  const findReplay = Effect.fnUntraced(function* (
    workspaceId: WorkspaceId,
    key: Option.Option<IdempotencyKey>,
    isSame: (task: Task) => boolean
  ) {
    if (Option.isNone(key)) return Option.none<MediaJob<Task, Code>>()
    const job = yield* store.findByKey(workspaceId, key.value)
    if (Option.isNone(job)) return job
    return isSame(job.value.task) ? job : yield* new IdempotencyConflict({ jobId: job.value.id })
  })

  /** Queues a job, unless `judge` refuses it or the key has one. */
  const submit = Effect.fnUntraced(function* <Refused>(
    request: {
      readonly workspaceId: WorkspaceId
      readonly task: Task
      readonly idempotencyKey: Option.Option<IdempotencyKey>
    },
    judge: (submitted: Submitted, facts: SubmitFacts) => Result.Result<void, Refused>
  ) {
    const inputs = kind.inputsOf(request.task)
    const stored = new Set(yield* Effect.filter(inputs, (input) => hasBytes(request.workspaceId, input)))
    const id = yield* nextConversionJobId(random)
    const createdAt = yield* DateTime.now
    const made = { ...request, id, createdAt, claimableAt: yield* leaseNow }
    const job = yield* store.submit(made, (facts) => judge({ stored, now: createdAt }, facts))
    if (job.id === id) yield* inTraceOf(id, "job.accepted")(signals.tell({ _tag: "Submitted", kind: kind.name }))
    return job
  })

  const find = Effect.fnUntraced(function* (workspaceId: WorkspaceId, id: string) {
    const job = isJobId(id) ? yield* store.find(workspaceId, id) : Option.none<MediaJob<Task, Code>>()
    if (Option.isNone(job)) return yield* new JobNotFound({ jobId: id })
    return job.value
  })

  const cancel = Effect.fnUntraced(function* (workspaceId: WorkspaceId, id: string) {
    if (!isJobId(id)) return yield* new JobNotFound({ jobId: id })
    const job = yield* store.cancel(workspaceId, id, kind.failures.canceled, yield* DateTime.now)
    yield* signals.tell({ _tag: "Canceled", jobId: id })
    return job
  })

  return { findReplay, submit, find, list: store.list, cancel }
})
