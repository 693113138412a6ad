import * as Data from "effect/Data"
import * as Schema from "effect/Schema"
import { ConversionJobId, MediaId } from "../kernel/Ids.ts"
import type { JobFailure } from "./MediaJob.ts"

/** The Idempotency-Key was used before with another input. */
export class IdempotencyConflict extends Schema.TaggedError<IdempotencyConflict>()("IdempotencyConflict", {
  jobId: ConversionJobId
}) {}

/** The upload is not finished, or its bytes were removed. */
export class InputMediaUnavailable extends Schema.TaggedError<InputMediaUnavailable>()("InputMediaUnavailable", {
  mediaId: MediaId
}) {}

/** No such job in this workspace. */
export class JobNotFound extends Schema.TaggedError<JobNotFound>()("JobNotFound", { jobId: Schema.String }) {}

/** The job has ended, so it can't be canceled. */
export class JobAlreadyEnded extends Schema.TaggedError<JobAlreadyEnded>()("JobAlreadyEnded", {
  jobId: ConversionJobId
}) {}

/** A job fails. Stored as its `JobFailure`, never returned as an error of a call. */
export class JobFailed<Code extends string> extends Data.TaggedError("JobFailed")<{
  readonly failure: JobFailure<Code>
  /** Whether an encoder that cannot encode at all would have ended the job like this. */
  readonly suspectsEncoder?: boolean
}> {}
