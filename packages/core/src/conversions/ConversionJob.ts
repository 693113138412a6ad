import * as Schema from "effect/Schema"
import { mediaJob } from "../jobs/MediaJob.ts"
import { MediaId } from "../kernel/Ids.ts"

/** The profile of §2.4. */
export const outputProfile = "universal_mp4_v1"

/** `#RRGGBB`, upper case. */
export const BackgroundColor = Schema.String.check(Schema.isPattern(/^#[0-9A-F]{6}$/)).pipe(
  Schema.brand("BackgroundColor")
)
export type BackgroundColor = typeof BackgroundColor.Type

/** Terminal codes: §7.3, and three of our own (api.md §6). */
export const failureCodes = [
  "gif_dimensions_exceeded",
  "gif_frame_count_exceeded",
  "gif_decode_budget_exceeded",
  "gif_duration_exceeded",
  "gif_probe_failed",
  "gif_decode_failed",
  "processing_timeout",
  "output_size_exceeded",
  "gif_conversion_failed",
  "input_media_unavailable",
  "output_upload_failed",
  "canceled"
] as const
export type ConversionFailureCode = (typeof failureCodes)[number]

/** What a conversion is asked to do. */
export const ConversionTask = Schema.Struct({ gifMediaId: MediaId, backgroundColor: BackgroundColor })
export type ConversionTask = typeof ConversionTask.Type

/** One GIF to one MP4. */
export const ConversionJob = mediaJob(ConversionTask, failureCodes)
export type ConversionJob = typeof ConversionJob.Type
