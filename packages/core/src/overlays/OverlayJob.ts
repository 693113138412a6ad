import * as Schema from "effect/Schema"
import { mediaJob } from "../jobs/MediaJob.ts"
import { MediaId } from "../kernel/Ids.ts"
import { OverlaySettings } from "./OverlaySettings.ts"

/** Terminal codes of an overlay (api-2.md §12). */
export const overlayFailureCodes = [
  "audio_overlay_failed",
  "processing_timeout",
  "output_size_exceeded",
  "canceled"
] as const
export type OverlayFailureCode = (typeof overlayFailureCodes)[number]

/** What an overlay is asked to do. Both files may be the same one. */
export const OverlayTask = Schema.Struct({
  videoMediaId: MediaId,
  audioMediaId: MediaId,
  settings: OverlaySettings
})
export type OverlayTask = typeof OverlayTask.Type

/** One sound laid over one video. */
export const OverlayJob = mediaJob(OverlayTask, overlayFailureCodes)
export type OverlayJob = typeof OverlayJob.Type
