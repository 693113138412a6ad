import type { JobKind } from "../jobs/JobKind.ts"
import { overlayFailures } from "./overlayFailures.ts"
import type { OverlayFailureCode, OverlayTask } from "./OverlayJob.ts"

/** A sound over a video. */
export const overlayKind: JobKind<OverlayTask, OverlayFailureCode> = {
  name: "audio_overlay",
  what: "overlay",
  source: "audio_overlay",
  inputsOf: ({ audioMediaId, videoMediaId }) => [videoMediaId, audioMediaId],
  isSame: ({ settings, ...one }, other) =>
    one.videoMediaId === other.videoMediaId &&
    one.audioMediaId === other.audioMediaId &&
    settings.mode === other.settings.mode &&
    settings.videoVolume === other.settings.videoVolume &&
    settings.audioVolume === other.settings.audioVolume &&
    settings.audioStartMs === other.settings.audioStartMs &&
    settings.fit === other.settings.fit,
  failures: overlayFailures
}
