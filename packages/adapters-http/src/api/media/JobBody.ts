import {
  type ConversionJob,
  failureCodes,
  jobStatuses,
  outputProfile,
  statusOf
} from "@loopbox/core/conversions/ConversionJob"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Time } from "../DataBody.ts"

/** A conversion job on the wire (§3.2): every key is always there. */
export const JobBody = Schema.Struct({
  id: Schema.String,
  kind: Schema.Literal("gif_to_mp4"),
  status: Schema.Literals(jobStatuses),
  gif_media_id: Schema.String,
  background_color: Schema.String,
  output_profile: Schema.Literal(outputProfile),
  output_media_id: Schema.NullOr(Schema.String),
  progress: Schema.NullOr(Schema.Number.annotate({ description: "0 to 1; never falls, 1 only when succeeded." })),
  attempts: Schema.Int,
  created_at: Time,
  started_at: Schema.NullOr(Time),
  completed_at: Schema.NullOr(Time),
  error: Schema.NullOr(
    Schema.Struct({ code: Schema.Literals(failureCodes), message: Schema.String, retryable: Schema.Boolean })
  )
}).annotate({
  identifier: "ConversionJob",
  examples: [
    {
      id: "mpj_01k9j8m2x4v6q8s0t2w4y6z8ab",
      kind: "gif_to_mp4",
      status: "succeeded",
      gif_media_id: "med_01k9j8kz7c5r3n1p9h7f5d3b1a",
      background_color: "#FFFFFF",
      output_profile: "universal_mp4_v1",
      output_media_id: "med_01k9j8mfa2s4d6f8g0h2j4k6m8",
      progress: 1,
      attempts: 1,
      created_at: "2026-11-21T07:00:00.000Z",
      started_at: "2026-11-21T07:00:00.021Z",
      completed_at: "2026-11-21T07:00:02.410Z",
      error: null
    }
  ]
})
export type JobBody = typeof JobBody.Type

const unset = {
  output_media_id: null,
  progress: null,
  attempts: 0,
  started_at: null,
  completed_at: null,
  error: null
} as const

/** As many digits as a bar can show; 1 is for a job that has succeeded. */
const toThousandths = (progress: number) => Math.min(0.999, Math.round(progress * 1000) / 1000)

const ownFields = (job: ConversionJob) => {
  switch (job._tag) {
    case "QueuedJob":
      return {}
    case "ProcessingJob":
      return {
        started_at: DateTime.formatIso(job.startedAt),
        progress: toThousandths(job.progress),
        attempts: job.attempts
      }
    case "SucceededJob":
      return {
        started_at: DateTime.formatIso(job.startedAt),
        completed_at: DateTime.formatIso(job.completedAt),
        output_media_id: job.outputMediaId,
        progress: 1,
        attempts: job.attempts
      }
    case "FailedJob":
      return {
        started_at: Option.getOrNull(Option.map(job.startedAt, DateTime.formatIso)),
        completed_at: DateTime.formatIso(job.completedAt),
        progress: Option.getOrNull(Option.map(job.progress, toThousandths)),
        attempts: job.attempts,
        error: { code: job.failure.code, message: job.failure.message, retryable: job.failure.retryable }
      }
  }
}

export const toJobBody = (job: ConversionJob): JobBody => ({
  id: job.id,
  kind: "gif_to_mp4",
  status: statusOf(job),
  gif_media_id: job.gifMediaId,
  background_color: job.backgroundColor,
  output_profile: outputProfile,
  created_at: DateTime.formatIso(job.createdAt),
  ...unset,
  ...ownFields(job)
})
