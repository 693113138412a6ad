import * as Schema from "effect/Schema"
import { ConversionJobId, MediaId } from "../kernel/Ids.ts"
import { JobFailure } from "./ConversionJob.ts"

/** No media was named. */
export class GifMediaRequired extends Schema.TaggedError<GifMediaRequired>()("GifMediaRequired", {}) {}

/** The background is not `#RRGGBB`. */
export class InvalidBackgroundColor extends Schema.TaggedError<InvalidBackgroundColor>()("InvalidBackgroundColor", {
  given: Schema.String
}) {}

/** The Idempotency-Key was used before with another input. */
export class IdempotencyConflict extends Schema.TaggedError<IdempotencyConflict>()("IdempotencyConflict", {
  jobId: ConversionJobId
}) {}

/** The upload is not finished, or its bytes were removed. */
export class InputMediaUnavailable extends Schema.TaggedError<InputMediaUnavailable>()("InputMediaUnavailable", {
  mediaId: MediaId
}) {}

/** The media is not a GIF. */
export class NotAGif extends Schema.TaggedError<NotAGif>()("NotAGif", {
  mediaId: MediaId,
  contentType: Schema.String
}) {}

/** The GIF is over 50 MB. */
export class GifTooLarge extends Schema.TaggedError<GifTooLarge>()("GifTooLarge", {
  sizeBytes: Schema.Int,
  limitBytes: Schema.Int
}) {}

/** No such job in this workspace. */
export class JobNotFound extends Schema.TaggedError<JobNotFound>()("JobNotFound", { jobId: Schema.String }) {}

/** The job has ended, so it can't be canceled. */
export class JobAlreadyEnded extends Schema.TaggedError<JobAlreadyEnded>()("JobAlreadyEnded", {
  jobId: ConversionJobId
}) {}

/** A job fails. Stored as its `JobFailure`, never returned as an error of a call. */
export class JobFailed extends Schema.TaggedError<JobFailed>()("JobFailed", { failure: JobFailure }) {}
