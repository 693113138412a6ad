import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { IdempotencyConflict, JobAlreadyEnded, JobNotFound } from "@loopbox/core/conversions/ConversionErrors"
import { type ConversionJob, QueuedJob, statusOf } from "@loopbox/core/conversions/ConversionJob"
import { type Claim, ConversionStore, type NewConversion } from "@loopbox/core/conversions/ConversionStore"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import { WorkspaceErased } from "@loopbox/core/media/MediaErrors"
import { blockingPlace, quotaWindow } from "@loopbox/core/quota/Admission"
import { limitsOf } from "@loopbox/core/workspaces/Limits"
import type { Workspace } from "@loopbox/core/workspaces/Workspace"
import { liveMedia } from "./MemoryMediaStore.ts"
import { claimNext, endFailed, endSucceeded, progressed } from "./memoryJobs.ts"
import { memoryPage } from "./memoryPage.ts"
import { type JobEntry, MemoryState } from "./MemoryState.ts"

const jobsOf = (state: MemoryState["Service"], workspaceId: WorkspaceId): ReadonlyArray<JobEntry> =>
  Array.from(state.jobs.values()).filter(({ job }) => job.workspaceId === workspaceId)

const isActive = (job: ConversionJob) => job._tag === "QueuedJob" || job._tag === "ProcessingJob"

const admissionFacts = (state: MemoryState["Service"], workspace: Workspace, now: DateTime.Utc) => {
  const jobs = jobsOf(state, workspace.id).map(({ job }) => job)
  const opens = DateTime.subtract(now, quotaWindow)
  // Also counts jobs of concurrent submits with a slightly later time.
  const counted = jobs
    .map(({ createdAt }) => createdAt)
    .filter((at) => DateTime.isGreaterThan(at, opens))
    .sort(DateTime.Order)
  const place = blockingPlace(limitsOf(workspace), counted.length)
  return {
    activeJobs: jobs.filter(isActive).length,
    conversions: counted.length,
    blocking: Option.flatMapNullishOr(place, (index) => counted[index])
  }
}

const findKey = (
  state: MemoryState["Service"],
  { idempotencyKey, workspaceId }: Pick<NewConversion, "idempotencyKey" | "workspaceId">
) =>
  Option.flatMapNullishOr(idempotencyKey, (key) =>
    jobsOf(state, workspaceId).find((entry) => Option.contains(entry.idempotencyKey, key))
  )

export const layer: Layer.Layer<ConversionStore, never, MemoryState> = Layer.effect(
  ConversionStore,
  Effect.map(MemoryState, (state) => {
    /** The entry of a claim, if its lease is not lost. */
    const held = (claim: Claim) =>
      Effect.suspend(() => {
        const entry = state.jobs.get(claim.job.id)
        return entry?.token === claim.token
          ? Effect.succeed(entry)
          : Effect.fail(new LeaseLost({ what: "conversion", id: claim.job.id }))
      })

    return ConversionStore.of({
      submit: Effect.fnUntraced(function* (conversion, judge) {
        const { createdAt, gifMediaId, workspaceId } = conversion
        const earlier = findKey(state, conversion)
        if (Option.isSome(earlier)) {
          const { job } = earlier.value
          const isSame = job.gifMediaId === gifMediaId && job.backgroundColor === conversion.backgroundColor
          return isSame ? job : yield* new IdempotencyConflict({ jobId: job.id })
        }
        const workspace = state.workspaces.get(workspaceId)
        if (workspace === undefined) return yield* new WorkspaceErased()
        const media = Option.filter(
          Option.fromUndefinedOr(liveMedia(state, gifMediaId)),
          (found) => found.workspaceId === workspaceId
        )
        yield* Effect.fromResult(judge({ workspace, media, admission: admissionFacts(state, workspace, createdAt) }))
        const { claimableAt, idempotencyKey, ...fields } = conversion
        const job = new QueuedJob(fields)
        state.jobs.set(job.id, { job, idempotencyKey, claimableAt, token: undefined, isReleased: false })
        return job
      }),
      findByKey: (workspaceId, key) =>
        Effect.sync(() =>
          Option.map(findKey(state, { workspaceId, idempotencyKey: Option.some(key) }), ({ job }) => job)
        ),
      find: (workspaceId, id) =>
        Effect.sync(() =>
          Option.fromUndefinedOr(state.jobs.get(id)?.job).pipe(Option.filter((job) => job.workspaceId === workspaceId))
        ),
      list: (workspaceId, status, page) =>
        Effect.sync(() =>
          memoryPage(
            jobsOf(state, workspaceId)
              .map(({ job }) => job)
              .filter((job) => Option.getOrElse(status, () => statusOf(job)) === statusOf(job)),
            page
          )
        ),
      claim: (request) => Effect.sync(() => claimNext(state, request)),
      renew: Effect.fnUntraced(function* (claim, leaseUntil, progress) {
        const entry = yield* held(claim)
        if (entry.job._tag !== "ProcessingJob") return yield* new LeaseLost({ what: "conversion", id: claim.job.id })
        state.jobs.set(claim.job.id, { ...entry, job: progressed(entry.job, progress), claimableAt: leaseUntil })
      }),
      release: Effect.fnUntraced(function* (claim, leaseNow) {
        const entry = yield* held(claim)
        if (entry.job._tag !== "ProcessingJob") return yield* new LeaseLost({ what: "conversion", id: claim.job.id })
        state.jobs.set(claim.job.id, { ...entry, claimableAt: leaseNow, token: undefined, isReleased: true })
      }),
      succeed: Effect.fnUntraced(function* (claim, output, at) {
        const entry = yield* held(claim)
        if (entry.job._tag === "SucceededJob") return entry.job
        if (entry.job._tag !== "ProcessingJob") return yield* new LeaseLost({ what: "conversion", id: claim.job.id })
        return endSucceeded(state, entry, entry.job, output, at)
      }),
      fail: Effect.fnUntraced(function* (claim, failure, at) {
        const entry = yield* held(claim)
        if (entry.job._tag === "FailedJob") return entry.job
        if (entry.job._tag !== "ProcessingJob") return yield* new LeaseLost({ what: "conversion", id: claim.job.id })
        return endFailed(state, entry, entry.job, failure, at)
      }),
      cancel: Effect.fnUntraced(function* (workspaceId, id, failure, at) {
        const entry = state.jobs.get(id)
        if (entry?.job.workspaceId !== workspaceId) return yield* new JobNotFound({ jobId: id })
        const { job } = entry
        if (job._tag === "SucceededJob" || job._tag === "FailedJob") return yield* new JobAlreadyEnded({ jobId: id })
        // Clearing the token makes the worker of the job lose its lease.
        return endFailed(state, { ...entry, token: undefined }, job, failure, at)
      }),
      depth: Effect.sync(() => {
        const active = Array.from(state.jobs.values(), ({ job }) => job).filter(isActive)
        const queued = active.filter((job) => job._tag === "QueuedJob")
        const oldest = queued.map(({ createdAt }) => createdAt).sort(DateTime.Order)[0]
        return {
          counts: { queued: queued.length, processing: active.length - queued.length },
          oldestAt: Option.fromUndefinedOr(oldest)
        }
      })
    })
  })
)
