import type { GifTooLarge } from "@loopbox/core/conversions/ConversionErrors"
import type { ConversionRateExceeded } from "@loopbox/core/quota/QuotaErrors"
import { BackgroundColor } from "@loopbox/core/conversions/ConversionJob"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { Issue } from "../../api/ErrorBody.ts"
import type { GivenBody } from "../edge/readJson.ts"
import { refuse, refuseFor } from "../edge/refuse.ts"
import { jobSubmitRefusals, noneAllowed } from "../jobs/jobRefusals.ts"

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
  ...jobSubmitRefusals,
  GifMediaRequired: () => refuse("gif_media_required"),
  InvalidBackgroundColor: () => refuse("invalid_background_color"),
  NotAGif: () => refuse("gif_media_required", "The media is not a GIF."),
  GifTooLarge: ({ limitBytes, sizeBytes }: GifTooLarge) =>
    refuse("gif_size_exceeded", `The GIF has ${sizeBytes} bytes; ${limitBytes} can be converted.`),
  ConversionRateExceeded: refuseRate
}
