import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type { ConversionJobId, MediaId, WorkspaceId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { Media, ReadyMedia, StoredBytes } from "../media/Media.ts"
import type { MediaNotFound, WorkspaceErased } from "../media/MediaErrors.ts"
import type { Workspace } from "../plans/Workspace.ts"
import type { AdmissionFacts } from "../quota/Admission.ts"
import type { CapacityExceeded, ConversionRateExceeded } from "../quota/QuotaErrors.ts"
import type {
  GifTooLarge,
  IdempotencyConflict,
  InputMediaUnavailable,
  JobAlreadyEnded,
  JobNotFound,
  LeaseLost,
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
  /** From when on a worker may take it, on the lease clock. */
  readonly claimableAt: DateTime.Utc
}

/** What `submit` reads under the workspace's lock for core to judge. */
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

/** A job in the hands of one worker, until `leaseUntil` on the lease clock. */
export interface Claim {
  readonly job: ProcessingJob
  /** The input's record; absent only if it was lost outside the service. */
  readonly input: Option.Option<ReadyMedia>
  /** Fencing token: settling needs the one of the current lease. */
  readonly token: string
}

/** The video that a conversion made; retention decides how long it and its input are kept. */
export interface ConversionOutput {
  readonly id: MediaId
  readonly bytes: StoredBytes
  readonly filename: Option.Option<string>
}

export interface ClaimRequest {
  /** A new random token. */
  readonly token: string
  /** Becomes `started_at` at the job's first claim. */
  readonly now: DateTime.Utc
  readonly leaseNow: DateTime.Utc
  readonly leaseUntil: DateTime.Utc
  /** A job whose lease was lost in its attempt of this number is ended instead of claimed. */
  readonly maxAttempts: number
}

/** `abandoned`: a job that ended because its last attempt's lease was lost; there may be more to claim. */
export type ClaimOutcome =
  | { readonly _tag: "Claimed"; readonly claim: Claim }
  | { readonly _tag: "Abandoned"; readonly job: FailedJob }
  | { readonly _tag: "Nothing" }

/** Port: where conversion jobs are kept. */
export class ConversionStore extends Context.Service<
  ConversionStore,
  {
    /**
     * Adds a queued job, or returns the one that the same key and input made before.
     *
     * One transaction for each workspace at a time: look the key up, read the facts, ask `judge`, insert. A replay
     * asks nothing and takes no unit. "The same input" is media id and background colour.
     */
    readonly submit: (
      conversion: NewConversion,
      judge: (facts: SubmitFacts) => Result.Result<void, SubmitRefused>
    ) => Effect.Effect<ConversionJob, SubmitRefused | IdempotencyConflict | WorkspaceErased | StoreUnavailable>
    /** The job that this key made, whatever its input. */
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
     * Takes the job that has waited longest. One that was started before, handed back or with a lease that ran out,
     * goes before all that are queued, or a backlog would keep it from going on.
     *
     * `started_at` is set at the first claim only; `attempts` grows with each claim but one after `release`. A job
     * whose input record or bytes' record is gone is claimed all the same; the worker finds out.
     */
    readonly claim: (request: ClaimRequest) => Effect.Effect<ClaimOutcome, StoreUnavailable>
    /** Prolongs the lease and stores the progress, which never falls. */
    readonly renew: (
      claim: Claim,
      leaseUntil: DateTime.Utc,
      progress: number
    ) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /** Hands the job back at once, to be claimed again without consuming an attempt. */
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
    /** Ends a queued or processing job whoever has it; the worker's lease is worth nothing afterwards. */
    readonly cancel: (
      workspaceId: WorkspaceId,
      id: ConversionJobId,
      failure: JobFailure,
      at: DateTime.Utc
    ) => Effect.Effect<FailedJob, JobNotFound | JobAlreadyEnded | StoreUnavailable>
    /** Queued and processing jobs of all workspaces, and since when the oldest waits: for metrics. */
    readonly depth: Effect.Effect<
      { readonly queued: number; readonly processing: number; readonly oldestQueuedAt: Option.Option<DateTime.Utc> },
      StoreUnavailable
    >
  }
>()("@loopbox/core/conversions/ConversionStore") {}
