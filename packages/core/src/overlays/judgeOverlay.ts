import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { InputMediaUnavailable } from "../jobs/JobErrors.ts"
import type { SubmitFacts } from "../jobs/JobStore.ts"
import type { MediaId } from "../kernel/Ids.ts"
import { MediaNotFound } from "../media/MediaErrors.ts"
import type { ReadyMedia } from "../media/Media.ts"
import { admitActive } from "../quota/Admission.ts"
import type { CapacityExceeded } from "../quota/QuotaErrors.ts"
import { limitsOf } from "../workspaces/Limits.ts"
import { mayHavePicture, mayHaveSound } from "./mediaStreams.ts"
import { AudioStartBeyondEnd, AudioStreamRequired, OverlayInputTooLarge, VideoStreamRequired } from "./OverlayErrors.ts"
import type { OverlayTask } from "./OverlayJob.ts"
import { overlayLimits } from "./OverlayLimits.ts"

type InputRefused =
  | MediaNotFound
  | InputMediaUnavailable
  | VideoStreamRequired
  | AudioStreamRequired
  | OverlayInputTooLarge
  | AudioStartBeyondEnd

export type OverlayRefusedToStart = InputRefused | CapacityExceeded

/** A container says the length of its longest track, which may be a little more than the picture's. */
const tolerance_ms = 150

/** What of a file is over its limit, in the order in which it is told. */
const tooLarge = (video: ReadyMedia, audio: ReadyMedia): OverlayInputTooLarge | undefined => {
  const { audio_bytes, video_bytes, video_ms } = overlayLimits
  const videoMs = Option.getOrElse(video.durationMs, () => 0)
  const over = [
    { mediaId: video.id, measure: "video_bytes", actual: video.sizeBytes, limit: video_bytes, leeway: 0 },
    { mediaId: video.id, measure: "video_ms", actual: videoMs, limit: video_ms, leeway: tolerance_ms },
    { mediaId: audio.id, measure: "audio_bytes", actual: audio.sizeBytes, limit: audio_bytes, leeway: 0 }
  ] as const
  const found = over.find(({ actual, leeway, limit }) => actual > limit + leeway)
  if (found === undefined) return undefined
  const { actual, limit, measure, mediaId } = found
  return new OverlayInputTooLarge({ mediaId, measure, actual, limit })
}

/** Whether the two files may be laid together; what a file doesn't say of itself is seen when it is read. */
const judgeFiles = (
  { settings: { audioStartMs } }: OverlayTask,
  video: ReadyMedia,
  audio: ReadyMedia
): Result.Result<void, InputRefused> => {
  if (!mayHavePicture(video)) {
    return Result.fail(new VideoStreamRequired({ mediaId: video.id, contentType: video.contentType }))
  }
  if (!mayHaveSound(audio)) {
    return Result.fail(new AudioStreamRequired({ mediaId: audio.id, contentType: audio.contentType }))
  }
  const over = tooLarge(video, audio)
  if (over !== undefined) return Result.fail(over)
  const { durationMs } = audio
  return Option.isSome(durationMs) && audioStartMs >= durationMs.value
    ? Result.fail(new AudioStartBeyondEnd({ audioStartMs, durationMs: durationMs.value }))
    : Result.succeed(undefined)
}

/** Whether this overlay may start: the codes of api-2.md §12 in their order, of both files each. */
export const judgeOverlay = (
  task: OverlayTask,
  stored: ReadonlySet<MediaId>,
  facts: SubmitFacts
): Result.Result<void, OverlayRefusedToStart> => {
  const { audioMediaId, videoMediaId } = task
  const [video, audio] = [facts.inputs.get(videoMediaId), facts.inputs.get(audioMediaId)]
  if (video === undefined) return Result.fail(new MediaNotFound({ mediaId: videoMediaId }))
  if (audio === undefined) return Result.fail(new MediaNotFound({ mediaId: audioMediaId }))
  if (video._tag === "PendingMedia" || !stored.has(videoMediaId)) {
    return Result.fail(new InputMediaUnavailable({ mediaId: videoMediaId }))
  }
  if (audio._tag === "PendingMedia" || !stored.has(audioMediaId)) {
    return Result.fail(new InputMediaUnavailable({ mediaId: audioMediaId }))
  }
  const files = judgeFiles(task, video, audio)
  return Result.isFailure(files) ? files : admitActive(limitsOf(facts.workspace), facts.admission)
}
