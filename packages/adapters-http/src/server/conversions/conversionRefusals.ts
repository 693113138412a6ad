import type { IdempotencyConflict, GifTooLarge } from "@loopbox/core/conversions/ConversionErrors"
import type { CapacityExceeded, ConversionRateExceeded } from "@loopbox/core/quota/QuotaErrors"
import { BackgroundColor } from "@loopbox/core/conversions/ConversionJob"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { Issue } from "../../api/ErrorBody.ts"
import { type GivenBody, jsonRefusals } from "../edge/readJson.ts"
import { refuse, refuseFor, refuseUnauthorized } from "../edge/refuse.ts"
import { refuseProcessing } from "../edge/storeRefusals.ts"
import { mediaRequestRefusal } from "../edge/Validation.ts"

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

const isBackgroundColor = Schema.is(BackgroundColor)

/**
 * Rows 3 and 4 of api.md §6 have codes of their own. Beside a fault of row 2 they are told with it, for all faults are
 * told at once.
 */
export const submitRules = ({ faults, given }: GivenBody) => {
  const { background_color: color, gif_media_id: id } = given
  const issues: Array<Issue> = []
  if (faults.length === 0) return Effect.succeed(issues)
  if ((id ?? "") === "" || (Predicate.isString(id) && id.trim() === ""))
    issues.push({ path: "gif_media_id", message: "must name the GIF to convert" })
  if (Predicate.isString(color) && !isBackgroundColor(color.toUpperCase()))
    issues.push({ path: "background_color", message: "must be #RRGGBB" })
  return Effect.succeed(issues)
}

/** Refusals of a submit (api.md §6). */
export const submitRefusals = {
  ...jsonRefusals,
  ...mediaRequestRefusal,
  GifMediaRequired: () => refuse("gif_media_required"),
  InvalidBackgroundColor: () => refuse("invalid_background_color"),
  IdempotencyConflict: ({ jobId }: IdempotencyConflict) =>
    refuse("idempotency_conflict", `This Idempotency-Key came before with another input and made the job ${jobId}.`),
  MediaNotFound: () => refuse("media_not_found"),
  InputMediaUnavailable: () => refuse("input_media_unavailable"),
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
