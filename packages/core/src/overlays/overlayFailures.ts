import type { JobFailure } from "../jobs/MediaJob.ts"
import type { OverlayFailureCode } from "./OverlayJob.ts"

type OverlayFailure = JobFailure<OverlayFailureCode>

const failed = (message: string, retryable: boolean): OverlayFailure => ({
  code: "audio_overlay_failed",
  message,
  retryable
})

/** Why overlays fail, as the customer is told. */
export const overlayFailures = {
  rejected: failed("The sound could not be laid over the video: one of the two files cannot be used.", false),
  inputGone: failed("One of the two files is no longer there. Upload it again.", false),
  machine: failed("The overlay stopped for a reason that is not in the files. Submit it again.", true),
  abandoned: failed("The machines that worked on the overlay were lost. Submit it again.", true),
  notStored: failed("The video could not be stored. Submit the overlay again.", true),
  tooLarge: {
    code: "output_size_exceeded",
    message: "The video would be larger than a media file may be.",
    retryable: false
  },
  timedOut: {
    code: "processing_timeout",
    message: "The overlay took longer than it may. Submit it again.",
    retryable: true
  },
  canceled: { code: "canceled", message: "The overlay was canceled.", retryable: false }
} satisfies Record<string, OverlayFailure>
