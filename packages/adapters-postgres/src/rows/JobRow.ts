import * as Schema from "effect/Schema"
import { ConversionTask } from "@loopbox/core/conversions/ConversionJob"
import type { FailedJob, MediaJob, ProcessingJob, SucceededJob } from "@loopbox/core/jobs/MediaJob"
import { ConversionJobId, MediaId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { OverlayTask } from "@loopbox/core/overlays/OverlayJob"
import { MediaJson } from "./MediaRow.ts"
import { Instant, optional } from "./rows.ts"

/** How the tasks of one kind lie in columns. */
export interface TaskColumns<Task> {
  /** Reads `column`. */
  readonly schema: Schema.Codec<Task, unknown>
  /** An expression that makes one value of the columns. */
  readonly column: string
  readonly toColumns: (task: Task) => Readonly<Record<string, string | null>>
}

export const conversionColumns: TaskColumns<ConversionTask> = {
  schema: ConversionTask,
  column: "jsonb_build_object('gifMediaId', input_media_id, 'backgroundColor', background_color)",
  toColumns: ({ backgroundColor, gifMediaId }) => ({ input_media_id: gifMediaId, background_color: backgroundColor })
}

export const overlayColumns: TaskColumns<OverlayTask> = {
  schema: OverlayTask,
  column: "jsonb_build_object('videoMediaId', input_media_id, 'audioMediaId', audio_media_id, 'settings', settings)",
  toColumns: ({ audioMediaId, settings, videoMediaId }) => ({
    input_media_id: videoMediaId,
    audio_media_id: audioMediaId,
    settings: JSON.stringify(settings)
  })
}

/** The rows of one kind's jobs. */
export const makeJobRows = <Task, Code extends string>(
  { column, schema: task }: TaskColumns<Task>,
  codes: ReadonlyArray<Code>
) => {
  const fields = { workspace_id: WorkspaceId, id: ConversionJobId, task, created_at: Instant }

  const QueuedRow = Schema.Struct({ ...fields, status: Schema.Literal("queued") })

  const processing = {
    ...fields,
    status: Schema.Literal("processing"),
    started_at: Instant,
    progress: Schema.Number,
    attempts: Schema.Int
  }
  const ProcessingRow = Schema.Struct(processing)
  const ClaimedRow = Schema.Struct({
    ...processing,
    is_abandoned: Schema.Boolean,
    inputs: Schema.Array(MediaJson)
  })

  const SucceededRow = Schema.Struct({
    ...fields,
    status: Schema.Literal("succeeded"),
    started_at: Instant,
    completed_at: Instant,
    output_media_id: MediaId,
    attempts: Schema.Int
  })

  const FailedRow = Schema.Struct({
    ...fields,
    status: Schema.Literal("failed"),
    started_at: optional(Instant),
    completed_at: Instant,
    progress: optional(Schema.Number),
    attempts: Schema.Int,
    failure_code: Schema.Literals(codes),
    failure_message: Schema.String,
    failure_retryable: Schema.Boolean
  })

  const JobRow = Schema.Union([QueuedRow, ProcessingRow, SucceededRow, FailedRow])

  const common = (row: typeof JobRow.Type) => ({
    id: row.id,
    workspaceId: row.workspace_id,
    task: row.task,
    createdAt: row.created_at
  })

  const toProcessing = (row: typeof ProcessingRow.Type): ProcessingJob<Task> => ({
    _tag: "ProcessingJob",
    ...common(row),
    startedAt: row.started_at,
    progress: row.progress,
    attempts: row.attempts
  })

  const toSucceeded = (row: typeof SucceededRow.Type): SucceededJob<Task> => ({
    _tag: "SucceededJob",
    ...common(row),
    startedAt: row.started_at,
    completedAt: row.completed_at,
    outputMediaId: row.output_media_id,
    attempts: row.attempts
  })

  const toFailed = (row: typeof FailedRow.Type): FailedJob<Task, Code> => ({
    _tag: "FailedJob",
    ...common(row),
    startedAt: row.started_at,
    completedAt: row.completed_at,
    progress: row.progress,
    attempts: row.attempts,
    failure: { code: row.failure_code, message: row.failure_message, retryable: row.failure_retryable }
  })

  const toJob = (row: typeof JobRow.Type): MediaJob<Task, Code> => {
    switch (row.status) {
      case "queued":
        return { _tag: "QueuedJob", ...common(row) }
      case "processing":
        return toProcessing(row)
      case "succeeded":
        return toSucceeded(row)
      case "failed":
        return toFailed(row)
    }
  }

  const columns = `workspace_id, id, status, ${column} AS task, output_media_id, progress,
    attempts, created_at, started_at, completed_at, failure_code, failure_message, failure_retryable`

  return { columns, JobRow, ClaimedRow, SucceededRow, FailedRow, toJob, toProcessing, toSucceeded, toFailed }
}

export type JobRows<Task, Code extends string> = ReturnType<typeof makeJobRows<Task, Code>>
