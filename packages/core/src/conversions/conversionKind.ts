import type { JobKind } from "../jobs/JobKind.ts"
import type { ConversionFailureCode, ConversionTask } from "./ConversionJob.ts"
import { abandonedFailure, canceledFailure, failure, machineFailure } from "./failures.ts"

/** GIF to MP4. */
export const conversionKind: JobKind<ConversionTask, ConversionFailureCode> = {
  name: "gif_to_mp4",
  what: "conversion",
  source: "gif_conversion",
  inputsOf: ({ gifMediaId }) => [gifMediaId],
  isSame: (one, other) => one.gifMediaId === other.gifMediaId && one.backgroundColor === other.backgroundColor,
  failures: {
    abandoned: abandonedFailure,
    canceled: canceledFailure,
    machine: machineFailure,
    notStored: failure("output_upload_failed", true),
    timedOut: failure("processing_timeout", true)
  }
}
