import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { MediaId } from "../kernel/Ids.ts"
import type { Media } from "../media/Media.ts"
import { MediaNotFound } from "../media/MediaErrors.ts"
import { InputMediaUnavailable } from "../jobs/JobErrors.ts"
import type { SubmitFacts } from "../jobs/JobStore.ts"
import { admit } from "../quota/Admission.ts"
import type { CapacityExceeded, ConversionRateExceeded } from "../quota/QuotaErrors.ts"
import { limitsOf } from "../workspaces/Limits.ts"
import { GifTooLarge, NotAGif } from "./ConversionErrors.ts"
import { gifLimits, isGifSizeAllowed } from "../media/gif/GifLimits.ts"

type InputRefused = MediaNotFound | InputMediaUnavailable | NotAGif | GifTooLarge

export type SubmitRefused = InputRefused | CapacityExceeded | ConversionRateExceeded

/** Whether this media may be converted: rows 7 to 10 of api.md §6, in order. */
const judgeInput = (
  mediaId: MediaId,
  found: Option.Option<Media>,
  hasBytes: boolean
): Result.Result<void, InputRefused> => {
  if (Option.isNone(found)) return Result.fail(new MediaNotFound({ mediaId }))
  const media = found.value
  if (media._tag === "PendingMedia" || !hasBytes) return Result.fail(new InputMediaUnavailable({ mediaId }))
  if (media.contentType !== "image/gif") return Result.fail(new NotAGif({ mediaId, contentType: media.contentType }))
  if (!isGifSizeAllowed(media.sizeBytes)) {
    return Result.fail(new GifTooLarge({ sizeBytes: media.sizeBytes, limitBytes: gifLimits.size_bytes }))
  }
  return Result.succeed(undefined)
}

/** Whether this conversion may start: rows 7 to 12 of api.md §6, in order. */
export const judgeSubmit = (
  request: { readonly mediaId: MediaId; readonly hasBytes: boolean; readonly now: DateTime.Utc },
  facts: SubmitFacts
): Result.Result<void, SubmitRefused> => {
  const input = judgeInput(request.mediaId, Option.fromUndefinedOr(facts.inputs.get(request.mediaId)), request.hasBytes)
  return Result.isFailure(input) ? input : admit(limitsOf(facts.workspace), facts.admission, request.now)
}
