import type { IdempotencyConflict } from "@loopbox/core/jobs/JobErrors"
import type { CapacityExceeded } from "@loopbox/core/quota/QuotaErrors"
import { jsonRefusals } from "../edge/readJson.ts"
import { refuse, refuseFor, refuseUnauthorized } from "../edge/refuse.ts"
import { refuseProcessing } from "../edge/storeRefusals.ts"
import { mediaRequestRefusal } from "../edge/Validation.ts"

/** Seconds after which a job may have ended, and one more may start. */
const capacitySeconds = 5

/** A contract may allow none at all; waiting does not help then. */
export const noneAllowed = "The contract of this workspace allows no conversions."

/** Refusals of a submit of any kind of media job. */
export const jobSubmitRefusals = {
  ...jsonRefusals,
  ...mediaRequestRefusal,
  IdempotencyConflict: ({ jobId }: IdempotencyConflict) =>
    refuse("idempotency_conflict", `This Idempotency-Key came before with another input and made the job ${jobId}.`),
  MediaNotFound: () => refuse("media_not_found"),
  InputMediaUnavailable: () => refuse("input_media_unavailable"),
  CapacityExceeded: ({ limit }: CapacityExceeded) =>
    refuseFor(
      capacitySeconds,
      "media_processing_capacity_exceeded",
      limit === 0 ? noneAllowed : `The plan allows ${limit} active media jobs at once. Wait until one has ended.`,
      { limit }
    ),
  WorkspaceErased: () => refuseUnauthorized("The workspace of this key was erased."),
  StoreUnavailable: refuseProcessing
}

/** Refusals of a look-up, a list and a cancel. */
export const jobRefusals = {
  JobNotFound: () => refuse("not_found"),
  StoreUnavailable: refuseProcessing
}

export const listRefusals = {
  ...mediaRequestRefusal,
  StoreUnavailable: refuseProcessing
}

export const cancelRefusals = {
  ...jobRefusals,
  JobAlreadyEnded: () => refuse("job_already_ended")
}
