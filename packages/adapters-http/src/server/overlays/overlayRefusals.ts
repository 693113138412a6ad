import type {
  AudioStartBeyondEnd,
  AudioStreamRequired,
  OverlayInputTooLarge,
  VideoStreamRequired
} from "@loopbox/core/overlays/OverlayErrors"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { Issue } from "../../api/ErrorBody.ts"
import type { GivenBody } from "../edge/readJson.ts"
import { refuse } from "../edge/refuse.ts"
import { refuseMediaRequest } from "../edge/Validation.ts"
import { jobSubmitRefusals } from "../jobs/jobRefusals.ts"

const isBlank = (id: unknown) => (id ?? "") === "" || (Predicate.isString(id) && id.trim() === "")

/** An absent id has a code of its own. Beside a fault of another member it is told with it, for all are told at once. */
export const overlayRules = ({ faults, given }: GivenBody) => {
  const issues: Array<Issue> = []
  if (faults.length === 0) return Effect.succeed(issues)
  if (isBlank(given["video_media_id"])) issues.push({ path: "video_media_id", message: "must name the video" })
  if (isBlank(given["audio_media_id"])) {
    issues.push({ path: "audio_media_id", message: "must name the file with the sound" })
  }
  return Effect.succeed(issues)
}

const tooLarge: Record<OverlayInputTooLarge["measure"], (actual: number, limit: number) => string> = {
  video_bytes: (actual, limit) => `The video has ${actual} bytes; ${limit} can be worked on.`,
  video_ms: (actual, limit) => `The video lasts ${actual} ms; ${limit} can be worked on.`,
  audio_bytes: (actual, limit) => `The file with the sound has ${actual} bytes; ${limit} can be worked on.`
}

/** Refusals of a submit (api-2.md §12). */
export const overlayRefusals = {
  ...jobSubmitRefusals,
  VideoMediaRequired: () => refuse("video_media_id_required"),
  AudioMediaRequired: () => refuse("audio_media_id_required"),
  VideoStreamRequired: ({ contentType }: VideoStreamRequired) =>
    refuse("video_stream_required", `The file of video_media_id (${contentType}) has no moving picture.`),
  AudioStreamRequired: ({ contentType }: AudioStreamRequired) =>
    refuse("audio_stream_required", `The file of audio_media_id (${contentType}) has no sound.`),
  OverlayInputTooLarge: ({ actual, limit, measure }: OverlayInputTooLarge) =>
    refuse("media_size_exceeded", tooLarge[measure](actual, limit), { limit }),
  AudioStartBeyondEnd: ({ durationMs }: AudioStartBeyondEnd) =>
    refuseMediaRequest([{ path: "audio_start_ms", message: `must be below the audio's length, ${durationMs} ms` }])
}
