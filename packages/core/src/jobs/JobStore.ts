import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type { IdempotencyKey } from "../kernel/IdempotencyKey.ts"
import type { ConversionJobId, MediaId, WorkspaceId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { QueueDepth } from "../kernel/QueueDepth.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { LeaseLost } from "../kernel/lease/LeaseLost.ts"
import type { Media, ReadyMedia, StoredBytes } from "../media/Media.ts"
import type { WorkspaceErased } from "../media/MediaErrors.ts"
import type { AdmissionFacts } from "../quota/Admission.ts"
import type { Workspace } from "../workspaces/Workspace.ts"
import type { IdempotencyConflict, JobAlreadyEnded, JobNotFound } from "./JobErrors.ts"
import type { FailedJob, JobFailure, JobStatus, MediaJob, ProcessingJob, SucceededJob } from "./MediaJob.ts"

export interface NewJob<Task> {
  readonly id: ConversionJobId
  readonly workspaceId: WorkspaceId
  readonly task: Task
  readonly idempotencyKey: Option.Option<IdempotencyKey>
  readonly createdAt: DateTime.Utc
  /** When a worker may claim it, on the lease clock. */
  readonly claimableAt: DateTime.Utc
}

/** What `submit` reads under the workspace's lock, as input of `judge`. */
export interface SubmitFacts {
  readonly workspace: Workspace
  /** The task's inputs that are in the workspace. */
  readonly inputs: ReadonlyMap<MediaId, Media>
  readonly admission: AdmissionFacts
}

/** A job leased to one worker until `leaseUntil`, on the lease clock. */
export interface Claim<Task> {
  readonly job: ProcessingJob<Task>
  /** The records of the inputs; one is absent only if it was deleted outside of the service. */
  readonly inputs: ReadonlyMap<MediaId, ReadyMedia>
  /** Fencing token: settling requires the token of the current lease. */
  readonly token: string
}

/** The video that a job made; retention decides how long it and its inputs are kept. */
export interface JobOutput {
  readonly id: MediaId
  readonly bytes: StoredBytes
  readonly filename: Option.Option<string>
}

export interface ClaimRequest {
  /** A new random token. */
  readonly token: string
  /** Stored as `started_at` at the job's first claim. */
  readonly now: DateTime.Utc
  readonly leaseNow: DateTime.Utc
  readonly leaseUntil: DateTime.Utc
  /** A job that lost its lease in this attempt is ended instead of claimed. */
  readonly maxAttempts: number
}

/** `abandoned`: a job that ended because its last attempt's lease was lost; there may be more to claim. */
export type ClaimOutcome<Task, Code extends string> =
  | { readonly _tag: "Claimed"; readonly claim: Claim<Task> }
  | { readonly _tag: "Abandoned"; readonly job: FailedJob<Task, Code> }
  | { readonly _tag: "Nothing" }

/** Stores the jobs of one kind. Each kind has its port of this shape; jobs of the other are never seen through it. */
export interface JobStore<Task, Code extends string> {
  /**
   * Adds a queued job, or returns the earlier job of the same key and task.
   *
   * One transaction per workspace at a time: look up the key, read the facts, call `judge`, insert. A replay calls no
   * `judge` and uses no quota. Keys of the two kinds are apart.
   */
  readonly submit: <Refused>(
    made: NewJob<Task>,
    judge: (facts: SubmitFacts) => Result.Result<void, Refused>
  ) => Effect.Effect<MediaJob<Task, Code>, Refused | IdempotencyConflict | WorkspaceErased | StoreUnavailable>
  /** The earlier job of this key, with any task. */
  readonly findByKey: (
    workspaceId: WorkspaceId,
    key: IdempotencyKey
  ) => Effect.Effect<Option.Option<MediaJob<Task, Code>>, StoreUnavailable>
  readonly find: (
    workspaceId: WorkspaceId,
    id: ConversionJobId
  ) => Effect.Effect<Option.Option<MediaJob<Task, Code>>, StoreUnavailable>
  /** Newest first. */
  readonly list: (
    workspaceId: WorkspaceId,
    status: Option.Option<JobStatus>,
    page: PageRequest
  ) => Effect.Effect<Page<MediaJob<Task, Code>>, StoreUnavailable>
  /**
   * Claims the job that has waited longest. Jobs that were started before (released, or with an expired lease) precede
   * all queued ones, so that a backlog does not delay them. Under a backlog an adapter may go by what it has found less
   * than 20 ms before.
   *
   * `started_at` is set only at the first claim; `attempts` increases with each claim except after `release`. A job
   * without an input record is claimed as well; the worker fails it.
   */
  readonly claim: (request: ClaimRequest) => Effect.Effect<ClaimOutcome<Task, Code>, StoreUnavailable>
  /** Renews the lease and stores the progress, which never decreases. */
  readonly renew: (
    claim: Claim<Task>,
    leaseUntil: DateTime.Utc,
    progress: number
  ) => Effect.Effect<void, LeaseLost | StoreUnavailable>
  /** Releases the claim: the job can be claimed again at once, and no attempt is counted. */
  readonly release: (claim: Claim<Task>, leaseNow: DateTime.Utc) => Effect.Effect<void, LeaseLost | StoreUnavailable>
  /** Ends the job and adds its output's record, in one transaction; sets the `keepUntil` of the inputs and the output. */
  readonly succeed: (
    claim: Claim<Task>,
    output: JobOutput,
    at: DateTime.Utc
  ) => Effect.Effect<SucceededJob<Task>, LeaseLost | StoreUnavailable>
  /** Ends the job without an output and sets the inputs' `keepUntil`, in one transaction. */
  readonly fail: (
    claim: Claim<Task>,
    failure: JobFailure<Code>,
    at: DateTime.Utc
  ) => Effect.Effect<FailedJob<Task, Code>, LeaseLost | StoreUnavailable>
  /** Ends a queued or processing job, even if a worker has claimed it, which then loses its lease. */
  readonly cancel: (
    workspaceId: WorkspaceId,
    id: ConversionJobId,
    failure: JobFailure<Code>,
    at: DateTime.Utc
  ) => Effect.Effect<FailedJob<Task, Code>, JobNotFound | JobAlreadyEnded | StoreUnavailable>
  /** The oldest is the one that has been queued for longest. */
  readonly depth: Effect.Effect<QueueDepth<"queued" | "processing">, StoreUnavailable>
}
