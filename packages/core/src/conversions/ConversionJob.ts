import * as Schema from "effect/Schema"
import { ConversionJobId, MediaId, WorkspaceId } from "../kernel/Ids.ts"

/** The profile of §2.4. */
export const outputProfile = "universal_mp4_v1"

/** `#RRGGBB`, upper case. */
export const BackgroundColor = Schema.String.check(Schema.isPattern(/^#[0-9A-F]{6}$/)).pipe(
  Schema.brand("BackgroundColor")
)
export type BackgroundColor = typeof BackgroundColor.Type

/** Terminal codes: §7.3, and three of our own (api.md §6). */
export const failureCodes = [
  "gif_dimensions_exceeded",
  "gif_frame_count_exceeded",
  "gif_decode_budget_exceeded",
  "gif_duration_exceeded",
  "gif_probe_failed",
  "gif_decode_failed",
  "processing_timeout",
  "output_size_exceeded",
  "gif_conversion_failed",
  "input_media_unavailable",
  "output_upload_failed",
  "canceled"
] as const

/** Why a job failed: a stable code, a message for the customer, and whether a new job may succeed. */
export class JobFailure extends Schema.Class<JobFailure>("@loopbox/core/conversions/JobFailure")({
  code: Schema.Literals(failureCodes),
  message: Schema.String,
  retryable: Schema.Boolean
}) {}

const fields = {
  id: ConversionJobId,
  workspaceId: WorkspaceId,
  gifMediaId: MediaId,
  backgroundColor: BackgroundColor,
  createdAt: Schema.DateTimeUtc
}

/** Accepted; no worker has claimed it. */
export class QueuedJob extends Schema.TaggedClass<QueuedJob>()("QueuedJob", fields) {}

/** From the first claim to the end, also when a worker crashes. */
export class ProcessingJob extends Schema.TaggedClass<ProcessingJob>()("ProcessingJob", {
  ...fields,
  startedAt: Schema.DateTimeUtc,
  /** From 0 to below 1; never decreases. */
  progress: Schema.Number,
  attempts: Schema.Int
}) {}

export class SucceededJob extends Schema.TaggedClass<SucceededJob>()("SucceededJob", {
  ...fields,
  startedAt: Schema.DateTimeUtc,
  completedAt: Schema.DateTimeUtc,
  outputMediaId: MediaId,
  attempts: Schema.Int
}) {}

/** Failed or canceled; a canceled job may never have started. */
export class FailedJob extends Schema.TaggedClass<FailedJob>()("FailedJob", {
  ...fields,
  startedAt: Schema.Option(Schema.DateTimeUtc),
  completedAt: Schema.DateTimeUtc,
  progress: Schema.Option(Schema.Number),
  attempts: Schema.Int,
  failure: JobFailure
}) {}

export type ConversionJob = QueuedJob | ProcessingJob | SucceededJob | FailedJob
export const ConversionJob = Schema.Union([QueuedJob, ProcessingJob, SucceededJob, FailedJob])

/** The wire's names of the four states (§3.2). */
export const jobStatuses = ["queued", "processing", "succeeded", "failed"] as const
export const JobStatus = Schema.Literals(jobStatuses)
export type JobStatus = typeof JobStatus.Type

/** The status of a job's class. */
export const statusOf = (job: ConversionJob): JobStatus => statusOfTag[job._tag]

const statusOfTag: Record<ConversionJob["_tag"], JobStatus> = {
  QueuedJob: "queued",
  ProcessingJob: "processing",
  SucceededJob: "succeeded",
  FailedJob: "failed"
}
