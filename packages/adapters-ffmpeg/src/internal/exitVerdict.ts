import type { EncodeFailed } from "@loopbox/core/encoding/EncodeFailed"
import type { FfmpegExit } from "./runFfmpeg.ts"

/** What the machine, not the input, is to blame for, in ffmpeg's words. */
const machineComplaints =
  /No space left on device|Disk quota exceeded|Cannot allocate memory|Read-only file system|Too many open files|Input\/output error|Permission denied|Unrecognized option|Option not found|Unknown encoder|No such filter|error while loading shared libraries/

/** Signals that a program raises in itself: the same input would raise them again. */
const crashes = new Set(["SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL"])

/**
 * `encode` makes pictures, so that one without a picture could not decode its input. `read` tells of an input and decodes
 * sound; `repeat` and `copy` copy pictures, which ffmpeg does not count from version 6 on.
 */
export type Step = "encode" | "repeat" | "copy" | "read"

/** Which failure an ended ffmpeg is; undefined when it did what it should. */
export const exitVerdict = (step: Step, exit: FfmpegExit): EncodeFailed["reason"] | undefined => {
  const hasPictures = step === "repeat" || step === "copy" || exit.pictures > 0
  if (exit.isTooLarge) return "OutputTooLarge"
  if (exit.signal !== null && !crashes.has(exit.signal)) return "MachineFailed"
  if (exit.code === 0) return hasPictures || step === "read" ? undefined : "Undecodable"
  // 255: asked to end by a signal that it catches; 126 and 127: setpriv or prlimit could not start it.
  if (exit.code === 255 || exit.code === 126 || exit.code === 127) return "MachineFailed"
  if (machineComplaints.test(exit.complaint)) return "MachineFailed"
  return hasPictures || exit.signal !== null ? "Rejected" : "Undecodable"
}
