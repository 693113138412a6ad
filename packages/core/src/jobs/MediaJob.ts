import type * as DateTime from "effect/DateTime"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ConversionJobId, type MediaId, MediaId as MediaIdSchema, WorkspaceId } from "../kernel/Ids.ts"

/** Why a job failed: a stable code, a message for the customer, and whether a new job may succeed. */
export interface JobFailure<Code extends string> {
  readonly code: Code
  readonly message: string
  readonly retryable: boolean
}

interface JobBase<Task> {
  readonly id: ConversionJobId
  readonly workspaceId: WorkspaceId
  /** What the job is asked to do: the files and the settings of its kind. */
  readonly task: Task
  readonly createdAt: DateTime.Utc
}

/** Accepted; no worker has claimed it. */
export interface QueuedJob<Task> extends JobBase<Task> {
  readonly _tag: "QueuedJob"
}

/** From the first claim to the end, also when a worker crashes. */
export interface ProcessingJob<Task> extends JobBase<Task> {
  readonly _tag: "ProcessingJob"
  readonly startedAt: DateTime.Utc
  /** From 0 to below 1; never decreases. */
  readonly progress: number
  readonly attempts: number
}

export interface SucceededJob<Task> extends JobBase<Task> {
  readonly _tag: "SucceededJob"
  readonly startedAt: DateTime.Utc
  readonly completedAt: DateTime.Utc
  readonly outputMediaId: MediaId
  readonly attempts: number
}

/** Failed or canceled; a canceled job may never have started. */
export interface FailedJob<Task, Code extends string> extends JobBase<Task> {
  readonly _tag: "FailedJob"
  readonly startedAt: Option.Option<DateTime.Utc>
  readonly completedAt: DateTime.Utc
  readonly progress: Option.Option<number>
  readonly attempts: number
  readonly failure: JobFailure<Code>
}

/** A job of one kind, in one of its four states. */
export type MediaJob<Task, Code extends string> =
  | QueuedJob<Task>
  | ProcessingJob<Task>
  | SucceededJob<Task>
  | FailedJob<Task, Code>

/** The schema of one kind's jobs. */
export const mediaJob = <Task extends Schema.Top, const Codes extends ReadonlyArray<string>>(
  task: Task,
  codes: Codes
) => {
  const base = { id: ConversionJobId, workspaceId: WorkspaceId, task, createdAt: Schema.DateTimeUtc }
  return Schema.Union([
    Schema.TaggedStruct("QueuedJob", base),
    Schema.TaggedStruct("ProcessingJob", {
      ...base,
      startedAt: Schema.DateTimeUtc,
      progress: Schema.Number,
      attempts: Schema.Int
    }),
    Schema.TaggedStruct("SucceededJob", {
      ...base,
      startedAt: Schema.DateTimeUtc,
      completedAt: Schema.DateTimeUtc,
      outputMediaId: MediaIdSchema,
      attempts: Schema.Int
    }),
    Schema.TaggedStruct("FailedJob", {
      ...base,
      startedAt: Schema.Option(Schema.DateTimeUtc),
      completedAt: Schema.DateTimeUtc,
      progress: Schema.Option(Schema.Number),
      attempts: Schema.Int,
      failure: Schema.Struct({ code: Schema.Literals(codes), message: Schema.String, retryable: Schema.Boolean })
    })
  ])
}

/** The wire's names of the four states (§3.2). */
export const jobStatuses = ["queued", "processing", "succeeded", "failed"] as const
export type JobStatus = (typeof jobStatuses)[number]

const statusOfTag: Record<MediaJob<unknown, string>["_tag"], JobStatus> = {
  QueuedJob: "queued",
  ProcessingJob: "processing",
  SucceededJob: "succeeded",
  FailedJob: "failed"
}

/** The status of a job's state. */
export const statusOf = ({ _tag }: Pick<MediaJob<unknown, string>, "_tag">): JobStatus => statusOfTag[_tag]
