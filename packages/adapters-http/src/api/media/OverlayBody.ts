import { type OverlayJob, overlayFailureCodes } from "@loopbox/core/overlays/OverlayJob"
import { OverlaySettings } from "@loopbox/core/overlays/OverlaySettings"
import * as Schema from "effect/Schema"
import { lifeBody, toLife } from "./jobLife.ts"

const { audioStartMs, audioVolume, fit, mode, videoVolume } = OverlaySettings.fields

/** An audio overlay on the wire (api-2.md §12): every key is always there. */
export const OverlayBody = Schema.Struct({
  kind: Schema.Literal("audio_overlay"),
  video_media_id: Schema.String,
  audio_media_id: Schema.String,
  mode,
  video_volume: videoVolume,
  audio_volume: audioVolume,
  audio_start_ms: audioStartMs,
  fit,
  ...lifeBody(overlayFailureCodes)
}).annotate({
  identifier: "OverlayJob",
  examples: [
    {
      id: "mpj_01k9j8t4e6r8g0h2j4k6m8n0pq",
      kind: "audio_overlay",
      status: "succeeded",
      video_media_id: "med_01k9j8mfa2s4d6f8g0h2j4k6m8",
      audio_media_id: "med_01k9j8s7d9f1g3h5j7k9m1n3pq",
      mode: "mix",
      video_volume: 100,
      audio_volume: 60,
      audio_start_ms: 0,
      fit: "loop_to_video",
      output_media_id: "med_01k9j8tq5s7d9f1g3h5j7k9m1n",
      progress: 1,
      attempts: 1,
      created_at: "2026-11-21T07:00:10.000Z",
      started_at: "2026-11-21T07:00:10.018Z",
      completed_at: "2026-11-21T07:00:11.204Z",
      error: null
    }
  ]
})
export type OverlayBody = typeof OverlayBody.Type

export const toOverlayBody = (job: OverlayJob): OverlayBody => {
  const { audioMediaId, settings, videoMediaId } = job.task
  return {
    kind: "audio_overlay",
    video_media_id: videoMediaId,
    audio_media_id: audioMediaId,
    mode: settings.mode,
    video_volume: settings.videoVolume,
    audio_volume: settings.audioVolume,
    audio_start_ms: settings.audioStartMs,
    fit: settings.fit,
    ...toLife(job)
  }
}
