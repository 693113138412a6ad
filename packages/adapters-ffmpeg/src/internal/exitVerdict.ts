import type { EncodeFailed } from "@loopbox/core/encoding/EncodeFailed"
import type { FfmpegExit } from "./runFfmpeg.ts"

/** What the machine, not the GIF, is to blame for, in ffmpeg's words. */
const machineComplaints =
  /No space left on device|Disk quota exceeded|Cannot allocate memory|Read-only file system|Too many open files|Input\/output error|Permission denied|Unrecognized option|Option not found|Unknown encoder|No such filter|error while loading shared libraries/

/** Signals that a program raises in itself: the same input would raise them again. */
const crashes = new Set(["SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL"])

/** `encode` reads the GIF; `repeat` copies a video of our own. */
export type Step = "encode" | "repeat"

/** Which failure an ended ffmpeg is; undefined when it did what it should. */
export const exitVerdict = (step: Step, exit: FfmpegExit): EncodeFailed["reason"] | undefined => {
  // From 6 on ffmpeg counts no pictures that it copies.
  const hasPictures = step === "repeat" || exit.pictures > 0
  if (exit.isTooLarge) return "OutputTooLarge"
  if (exit.signal !== null && !crashes.has(exit.signal)) return "MachineFailed"
  if (exit.code === 0) return hasPictures ? undefined : "Undecodable"
  // 255: asked to end by a signal that it catches; 126 and 127: setpriv or prlimit could not start it.
  if (exit.code === 255 || exit.code === 126 || exit.code === 127) return "MachineFailed"
  if (machineComplaints.test(exit.complaint)) return "MachineFailed"
  return hasPictures || exit.signal !== null ? "Rejected" : "Undecodable"
}
