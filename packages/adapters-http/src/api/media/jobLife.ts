import { jobStatuses, type MediaJob, statusOf } from "@loopbox/core/jobs/MediaJob"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Time } from "../DataBody.ts"

/** What jobs of every kind tell of their life: every key is always there. */
export const lifeBody = <const Codes extends ReadonlyArray<string>>(codes: Codes) => ({
  id: Schema.String,
  status: Schema.Literals(jobStatuses),
  output_media_id: Schema.NullOr(Schema.String),
  progress: Schema.NullOr(Schema.Finite.annotate({ description: "0 to 1; never falls, 1 only when succeeded." })),
  attempts: Schema.Int,
  created_at: Time,
  started_at: Schema.NullOr(Time),
  completed_at: Schema.NullOr(Time),
  error: Schema.NullOr(
    Schema.Struct({ code: Schema.Literals(codes), message: Schema.String, retryable: Schema.Boolean })
  )
})

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

/** What only some states have. */
const ownFields = <Code extends string>(job: MediaJob<unknown, Code>) => {
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

/** The life of a job on the wire. */
export const toLife = <Code extends string>(job: MediaJob<unknown, Code>) => ({
  id: job.id,
  status: statusOf(job),
  created_at: DateTime.formatIso(job.createdAt),
  ...unset,
  ...ownFields(job)
})
