import * as Schema from "effect/Schema"
import { ConversionJobId, MediaId } from "../kernel/Ids.ts"
import { JobFailure } from "./ConversionJob.ts"

/** No media was named. */
export class GifMediaRequired extends Schema.TaggedError<GifMediaRequired>()("GifMediaRequired", {}) {}

/** The background is not `#RRGGBB`. */
export class InvalidBackgroundColor extends Schema.TaggedError<InvalidBackgroundColor>()("InvalidBackgroundColor", {
  given: Schema.String
}) {}

/** The Idempotency-Key came before with another input. */
export class IdempotencyConflict extends Schema.TaggedError<IdempotencyConflict>()("IdempotencyConflict", {
  jobId: ConversionJobId
}) {}

/** The media's upload is not finished, or its bytes are gone. */
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

/** Another worker has the job, or it has ended: what this one made counts no more. */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", { jobId: ConversionJobId }) {}

/** A job ends without a video. It becomes state (`JobFailure`), never an error of the customer's call. */
export class JobFailed extends Schema.TaggedError<JobFailed>()("JobFailed", { failure: JobFailure }) {}
