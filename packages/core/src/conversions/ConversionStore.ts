import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type { ConversionJobId, MediaId, WorkspaceId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { QueueDepth } from "../kernel/QueueDepth.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { LeaseLost } from "../kernel/lease/LeaseLost.ts"
import type { Media, ReadyMedia, StoredBytes } from "../media/Media.ts"
import type { MediaNotFound, WorkspaceErased } from "../media/MediaErrors.ts"
import type { Workspace } from "../workspaces/Workspace.ts"
import type { AdmissionFacts } from "../quota/Admission.ts"
import type { CapacityExceeded, ConversionRateExceeded } from "../quota/QuotaErrors.ts"
import type {
  GifTooLarge,
  IdempotencyConflict,
  InputMediaUnavailable,
  JobAlreadyEnded,
  JobNotFound,
  NotAGif
} from "./ConversionErrors.ts"
import type {
  BackgroundColor,
  ConversionJob,
  FailedJob,
  JobFailure,
  JobStatus,
  ProcessingJob,
  SucceededJob
} from "./ConversionJob.ts"
import type { IdempotencyKey } from "../kernel/IdempotencyKey.ts"

export interface NewConversion {
  readonly id: ConversionJobId
  readonly workspaceId: WorkspaceId
  readonly gifMediaId: MediaId
  readonly backgroundColor: BackgroundColor
  readonly idempotencyKey: Option.Option<IdempotencyKey>
  readonly createdAt: DateTime.Utc
  /** When a worker may claim it, on the lease clock. */
  readonly claimableAt: DateTime.Utc
}

/** What `submit` reads under the workspace's lock, as input of `judge`. */
export interface SubmitFacts {
  readonly workspace: Workspace
  readonly media: Option.Option<Media>
  readonly admission: AdmissionFacts
}

export type SubmitRefused =
  | MediaNotFound
  | InputMediaUnavailable
  | NotAGif
  | GifTooLarge
  | CapacityExceeded
  | ConversionRateExceeded

/** A job leased to one worker until `leaseUntil`, on the lease clock. */
export interface Claim {
  readonly job: ProcessingJob
  /** The record of the input; absent only if it was deleted outside of the service. */
  readonly input: Option.Option<ReadyMedia>
  /** Fencing token: settling requires the token of the current lease. */
  readonly token: string
}

/** The video of a conversion; retention decides how long it and its input are kept. */
export interface ConversionOutput {
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
export type ClaimOutcome =
  | { readonly _tag: "Claimed"; readonly claim: Claim }
  | { readonly _tag: "Abandoned"; readonly job: FailedJob }
  | { readonly _tag: "Nothing" }

/** Port: stores conversion jobs. */
export class ConversionStore extends Context.Service<
  ConversionStore,
  {
    /**
     * Adds a queued job, or returns the earlier job of the same key and input.
     *
     * One transaction per workspace at a time: look up the key, read the facts, call `judge`, insert. A replay calls no
     * `judge` and uses no quota. "The same input" means the same media id and background colour.
     */
    readonly submit: (
      conversion: NewConversion,
      judge: (facts: SubmitFacts) => Result.Result<void, SubmitRefused>
    ) => Effect.Effect<ConversionJob, SubmitRefused | IdempotencyConflict | WorkspaceErased | StoreUnavailable>
    /** The earlier job of this key, with any input. */
    readonly findByKey: (
      workspaceId: WorkspaceId,
      key: IdempotencyKey
    ) => Effect.Effect<Option.Option<ConversionJob>, StoreUnavailable>
    readonly find: (
      workspaceId: WorkspaceId,
      id: ConversionJobId
    ) => Effect.Effect<Option.Option<ConversionJob>, StoreUnavailable>
    /** Newest first. */
    readonly list: (
      workspaceId: WorkspaceId,
      status: Option.Option<JobStatus>,
      page: PageRequest
    ) => Effect.Effect<Page<ConversionJob>, StoreUnavailable>
    /**
     * Claims the job that has waited longest. Jobs that were started before (released, or with an expired lease)
     * precede all queued ones, so that a backlog does not delay them.
     *
     * `started_at` is set only at the first claim; `attempts` increases with each claim except after `release`. A job
     * without an input record is claimed as well; the worker fails it.
     */
    readonly claim: (request: ClaimRequest) => Effect.Effect<ClaimOutcome, StoreUnavailable>
    /** Renews the lease and stores the progress, which never decreases. */
    readonly renew: (
      claim: Claim,
      leaseUntil: DateTime.Utc,
      progress: number
    ) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /** Releases the claim: the job can be claimed again at once, and no attempt is counted. */
    readonly release: (claim: Claim, leaseNow: DateTime.Utc) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /** Ends the job and adds its output's record, in one transaction; sets the input's and the output's `keepUntil`. */
    readonly succeed: (
      claim: Claim,
      output: ConversionOutput,
      at: DateTime.Utc
    ) => Effect.Effect<SucceededJob, LeaseLost | StoreUnavailable>
    /** Ends the job without an output and sets the input's `keepUntil`, in one transaction. */
    readonly fail: (
      claim: Claim,
      failure: JobFailure,
      at: DateTime.Utc
    ) => Effect.Effect<FailedJob, LeaseLost | StoreUnavailable>
    /** Ends a queued or processing job, even if a worker has claimed it, which then loses its lease. */
    readonly cancel: (
      workspaceId: WorkspaceId,
      id: ConversionJobId,
      failure: JobFailure,
      at: DateTime.Utc
    ) => Effect.Effect<FailedJob, JobNotFound | JobAlreadyEnded | StoreUnavailable>
    /** The oldest is the one that has been queued for longest. */
    readonly depth: Effect.Effect<QueueDepth<"queued" | "processing">, StoreUnavailable>
  }
>()("@loopbox/core/conversions/ConversionStore") {}
