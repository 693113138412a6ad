import type { IdempotencyConflict, GifTooLarge } from "@loopbox/core/conversions/ConversionErrors"
import type { CapacityExceeded, ConversionRateExceeded } from "@loopbox/core/quota/QuotaErrors"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { InvalidRequest } from "./issues.ts"
import { jsonRefusals } from "./readJson.ts"
import { refuse, refuseFor, refuseUnauthorized } from "./refuse.ts"
import { refuseProcessing } from "./storeRefusals.ts"
import { refuseMediaRequest } from "./Validation.ts"

/** Seconds after which a job may have ended, and one more may start. */
const capacitySeconds = 5

/** A contract may allow none at all; waiting does not help then. */
const noneAllowed = "The contract of this workspace allows no conversions."

const refuseRate = Effect.fnUntraced(function* ({ limit, resetAt }: ConversionRateExceeded) {
  const now = yield* DateTime.now
  const seconds = (DateTime.toEpochMillis(resetAt) - DateTime.toEpochMillis(now)) / 1000
  const reset_at = DateTime.formatIso(resetAt)
  return yield* refuseFor(
    seconds,
    "gif_conversion_rate_limit_exceeded",
    limit === 0
      ? noneAllowed
      : `The plan allows ${limit} conversions in 24 hours. One more is admitted at ${reset_at}.`,
    { reset_at, limit }
  )
})

/** Refusals of a submit (api.md §6). */
export const submitRefusals = {
  ...jsonRefusals,
  InvalidRequest: ({ issues }: InvalidRequest) => refuseMediaRequest(issues),
  GifMediaRequired: () => refuse("gif_media_required", "Name the GIF to convert in gif_media_id."),
  InvalidBackgroundColor: () => refuse("invalid_background_color", "background_color must be #RRGGBB."),
  IdempotencyConflict: ({ jobId }: IdempotencyConflict) =>
    refuse("idempotency_conflict", `This Idempotency-Key came before with another input and made the job ${jobId}.`),
  MediaNotFound: () => refuse("media_not_found", "There is no such media in this workspace."),
  InputMediaUnavailable: () =>
    refuse("input_media_unavailable", "The upload is not finished, or its bytes are gone. Upload the GIF again."),
  NotAGif: () => refuse("gif_media_required", "The media is not a GIF."),
  GifTooLarge: ({ limitBytes, sizeBytes }: GifTooLarge) =>
    refuse("gif_size_exceeded", `The GIF has ${sizeBytes} bytes; ${limitBytes} can be converted.`),
  CapacityExceeded: ({ limit }: CapacityExceeded) =>
    refuseFor(
      capacitySeconds,
      "media_processing_capacity_exceeded",
      limit === 0 ? noneAllowed : `The plan allows ${limit} active media jobs at once. Wait until one has ended.`,
      { limit }
    ),
  ConversionRateExceeded: refuseRate,
  WorkspaceErased: () => refuseUnauthorized("The workspace of this key was erased."),
  StoreUnavailable: refuseProcessing
}

/** Refusals of a look-up, a list and a cancel. */
export const jobRefusals = {
  JobNotFound: () => refuse("not_found", "There is no such conversion in this workspace."),
  StoreUnavailable: refuseProcessing
}

export const listRefusals = {
  InvalidRequest: ({ issues }: InvalidRequest) => refuseMediaRequest(issues),
  StoreUnavailable: refuseProcessing
}

export const cancelRefusals = {
  ...jobRefusals,
  JobAlreadyEnded: () => refuse("job_already_ended", "The conversion has ended; there is nothing to cancel.")
}
