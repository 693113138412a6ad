import * as Schema from "effect/Schema"
import {
  BackgroundColor,
  type ConversionJob,
  FailedJob,
  failureCodes,
  JobFailure,
  ProcessingJob,
  QueuedJob,
  SucceededJob
} from "@loopbox/core/conversions/ConversionJob"
import { ConversionJobId, MediaId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { Instant, optional } from "./rows.ts"

/** The kind of `media_jobs` that this package works on; others share the table and the limit of active jobs. */
export const conversionKind = "gif_to_mp4"

export const jobColumns = `workspace_id, id, status, input_media_id, background_color, output_media_id, progress,
  attempts, created_at, started_at, completed_at, failure_code, failure_message, failure_retryable`

const fields = {
  workspace_id: WorkspaceId,
  id: ConversionJobId,
  input_media_id: MediaId,
  background_color: BackgroundColor,
  created_at: Instant
}

const QueuedRow = Schema.Struct({ ...fields, status: Schema.Literal("queued") })

export const ProcessingRow = Schema.Struct({
  ...fields,
  status: Schema.Literal("processing"),
  started_at: Instant,
  progress: Schema.Number,
  attempts: Schema.Int
})

export const SucceededRow = Schema.Struct({
  ...fields,
  status: Schema.Literal("succeeded"),
  started_at: Instant,
  completed_at: Instant,
  output_media_id: MediaId,
  attempts: Schema.Int
})

export const FailedRow = Schema.Struct({
  ...fields,
  status: Schema.Literal("failed"),
  started_at: optional(Instant),
  completed_at: Instant,
  progress: optional(Schema.Number),
  attempts: Schema.Int,
  failure_code: Schema.Literals(failureCodes),
  failure_message: Schema.String,
  failure_retryable: Schema.Boolean
})

export const JobRow = Schema.Union([QueuedRow, ProcessingRow, SucceededRow, FailedRow])

const common = (row: typeof JobRow.Type) => ({
  id: row.id,
  workspaceId: row.workspace_id,
  gifMediaId: row.input_media_id,
  backgroundColor: row.background_color,
  createdAt: row.created_at
})

export const toProcessing = (row: typeof ProcessingRow.Type): ProcessingJob =>
  new ProcessingJob({ ...common(row), startedAt: row.started_at, progress: row.progress, attempts: row.attempts })

export const toSucceeded = (row: typeof SucceededRow.Type): SucceededJob =>
  new SucceededJob({
    ...common(row),
    startedAt: row.started_at,
    completedAt: row.completed_at,
    outputMediaId: row.output_media_id,
    attempts: row.attempts
  })

export const toFailed = (row: typeof FailedRow.Type): FailedJob =>
  new FailedJob({
    ...common(row),
    startedAt: row.started_at,
    completedAt: row.completed_at,
    progress: row.progress,
    attempts: row.attempts,
    failure: new JobFailure({
      code: row.failure_code,
      message: row.failure_message,
      retryable: row.failure_retryable
    })
  })

export const toJob = (row: typeof JobRow.Type): ConversionJob => {
  switch (row.status) {
    case "queued":
      return new QueuedJob(common(row))
    case "processing":
      return toProcessing(row)
    case "succeeded":
      return toSucceeded(row)
    case "failed":
      return toFailed(row)
  }
}
