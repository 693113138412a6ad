import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { conversionKind } from "@loopbox/core/conversions/conversionKind"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { IdempotencyConflict, JobAlreadyEnded, JobNotFound } from "@loopbox/core/jobs/JobErrors"
import type { Claim, JobStore, NewJob } from "@loopbox/core/jobs/JobStore"
import { type QueuedJob, statusOf } from "@loopbox/core/jobs/MediaJob"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import { WorkspaceErased } from "@loopbox/core/media/MediaErrors"
import { overlayKind } from "@loopbox/core/overlays/overlayKind"
import { OverlayStore } from "@loopbox/core/overlays/OverlayStore"
import { admissionFacts } from "./memoryAdmission.ts"
import { claimNext, endFailed, endSucceeded, inputsOf, type KindJobs, progressed } from "./memoryJobs.ts"
import { memoryPage } from "./memoryPage.ts"
import { isActive, MemoryState } from "./MemoryState.ts"

/** The store of one kind's jobs. */
const makeJobStore = <Task, Code extends string>(store: KindJobs<Task, Code>): JobStore<Task, Code> => {
  const { kind, state } = store
  const lost = (claim: Claim<Task>) => new LeaseLost({ what: kind.what, id: claim.job.id })

  const jobsOf = (workspaceId: WorkspaceId) =>
    Array.from(store.jobs.values()).filter(({ job }) => job.workspaceId === workspaceId)

  const findKey = ({ idempotencyKey, workspaceId }: Pick<NewJob<Task>, "idempotencyKey" | "workspaceId">) =>
    Option.flatMapNullishOr(idempotencyKey, (key) =>
      jobsOf(workspaceId).find((entry) => Option.contains(entry.idempotencyKey, key))
    )

  /** The entry of a claim, if its lease is not lost. */
  const held = (claim: Claim<Task>) =>
    Effect.suspend(() => {
      const entry = store.jobs.get(claim.job.id)
      return entry?.token === claim.token ? Effect.succeed(entry) : Effect.fail(lost(claim))
    })

  return {
    submit: Effect.fnUntraced(function* (made, judge) {
      const { createdAt, workspaceId } = made
      const earlier = findKey(made)
      if (Option.isSome(earlier)) {
        const { job } = earlier.value
        return kind.isSame(job.task, made.task) ? job : yield* new IdempotencyConflict({ jobId: job.id })
      }
      const workspace = state.workspaces.get(workspaceId)
      if (workspace === undefined) return yield* new WorkspaceErased()
      const inputs = new Map(Array.from(inputsOf(store, made)).filter(([, media]) => media.workspaceId === workspaceId))
      yield* Effect.fromResult(judge({ workspace, inputs, admission: admissionFacts(state, workspace, createdAt) }))
      const { claimableAt, idempotencyKey, ...fields } = made
      const job: QueuedJob<Task> = { _tag: "QueuedJob", ...fields }
      store.jobs.set(job.id, { job, idempotencyKey, claimableAt, token: undefined, isReleased: false })
      return job
    }),
    findByKey: (workspaceId, key) =>
      Effect.sync(() => Option.map(findKey({ workspaceId, idempotencyKey: Option.some(key) }), ({ job }) => job)),
    find: (workspaceId, id) =>
      Effect.sync(() =>
        Option.fromUndefinedOr(store.jobs.get(id)?.job).pipe(Option.filter((job) => job.workspaceId === workspaceId))
      ),
    list: (workspaceId, status, page) =>
      Effect.sync(() =>
        memoryPage(
          jobsOf(workspaceId)
            .map(({ job }) => job)
            .filter((job) => Option.getOrElse(status, () => statusOf(job)) === statusOf(job)),
          page
        )
      ),
    claim: (request) => Effect.sync(() => claimNext(store, request)),
    renew: Effect.fnUntraced(function* (claim, leaseUntil, progress) {
      const entry = yield* held(claim)
      if (entry.job._tag !== "ProcessingJob") return yield* lost(claim)
      store.jobs.set(claim.job.id, { ...entry, job: progressed(entry.job, progress), claimableAt: leaseUntil })
    }),
    release: Effect.fnUntraced(function* (claim, leaseNow) {
      const entry = yield* held(claim)
      if (entry.job._tag !== "ProcessingJob") return yield* lost(claim)
      store.jobs.set(claim.job.id, { ...entry, claimableAt: leaseNow, token: undefined, isReleased: true })
    }),
    succeed: Effect.fnUntraced(function* (claim, output, at) {
      const entry = yield* held(claim)
      if (entry.job._tag === "SucceededJob") return entry.job
      if (entry.job._tag !== "ProcessingJob") return yield* lost(claim)
      return endSucceeded(store, entry, entry.job, output, at)
    }),
    fail: Effect.fnUntraced(function* (claim, failure, at) {
      const entry = yield* held(claim)
      if (entry.job._tag === "FailedJob") return entry.job
      if (entry.job._tag !== "ProcessingJob") return yield* lost(claim)
      return endFailed(store, entry, entry.job, failure, at)
    }),
    cancel: Effect.fnUntraced(function* (workspaceId, id, failure, at) {
      const entry = store.jobs.get(id)
      if (entry?.job.workspaceId !== workspaceId) return yield* new JobNotFound({ jobId: id })
      const { job } = entry
      if (job._tag === "SucceededJob" || job._tag === "FailedJob") return yield* new JobAlreadyEnded({ jobId: id })
      // Clearing the token makes the worker of the job lose its lease.
      return endFailed(store, { ...entry, token: undefined }, job, failure, at)
    }),
    depth: Effect.sync(() => {
      const active = Array.from(store.jobs.values(), ({ job }) => job).filter(isActive)
      const queued = active.filter((job) => job._tag === "QueuedJob")
      const oldest = queued.map(({ createdAt }) => createdAt).sort(DateTime.Order)[0]
      return {
        counts: { queued: queued.length, processing: active.length - queued.length },
        oldestAt: Option.fromUndefinedOr(oldest)
      }
    })
  }
}

export const layer: Layer.Layer<ConversionStore | OverlayStore, never, MemoryState> = Layer.mergeAll(
  Layer.effect(
    ConversionStore,
    Effect.map(MemoryState, (state) => makeJobStore({ kind: conversionKind, state, jobs: state.jobs }))
  ),
  Layer.effect(
    OverlayStore,
    Effect.map(MemoryState, (state) => makeJobStore({ kind: overlayKind, state, jobs: state.overlays }))
  )
)
