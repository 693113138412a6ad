import type { JobFailure } from "../jobs/MediaJob.ts"
import type { ConversionFailureCode } from "./ConversionJob.ts"

type ConversionFailure = JobFailure<ConversionFailureCode>

const sentences: Record<ConversionFailureCode, string> = {
  gif_dimensions_exceeded: "The GIF is larger than 4096 pixels on a side.",
  gif_frame_count_exceeded: "The GIF has more than 2,000 frames.",
  gif_decode_budget_exceeded: "The GIF's frames have more than 1.5 billion pixels together.",
  gif_duration_exceeded: "One cycle of the animation is longer than 60 seconds.",
  gif_probe_failed: "The file cannot be read as a GIF.",
  gif_decode_failed: "The GIF's pictures cannot be decoded.",
  processing_timeout: "The conversion took longer than it may. Submit it again.",
  output_size_exceeded: "The video would be larger than a media file may be.",
  gif_conversion_failed: "The GIF could not be converted.",
  input_media_unavailable: "The uploaded GIF is no longer there. Upload it again.",
  output_upload_failed: "The video could not be stored. Submit the conversion again.",
  canceled: "The conversion was canceled."
}

/** A failure with its message for the customer; `retryable` if a new job may succeed (gif-to-mp4, terminal errors). */
export const failure = (code: ConversionFailureCode, retryable = false): ConversionFailure => ({
  code,
  message: sentences[code],
  retryable
})

/** A failure of the machine, not of the file. */
export const machineFailure: ConversionFailure = {
  code: "gif_conversion_failed",
  message: "The conversion stopped for a reason that is not in the file. Submit it again.",
  retryable: true
}

/** The leases of all attempts were lost. */
export const abandonedFailure: ConversionFailure = {
  code: "gif_conversion_failed",
  message: "The machines that worked on the conversion were lost. Submit it again.",
  retryable: true
}

/** Somebody canceled the job. */
export const canceledFailure = failure("canceled")
