import { jobStatuses } from "@loopbox/core/jobs/MediaJob"
import { OverlaySettings } from "@loopbox/core/overlays/OverlaySettings"
import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { ConversionsAuthentication } from "../Authentication.ts"
import { dataBody, pageBody } from "../DataBody.ts"
import { errors, jsonErrors } from "../ErrorBody.ts"
import { listQuery, strictQuery } from "../ListQuery.ts"
import { MediaValidation } from "../Validation.ts"
import { OverlayBody } from "./OverlayBody.ts"

const { audioStartMs, audioVolume, fit, mode, videoVolume } = OverlaySettings.fields

const described = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(Schema.NullOr(schema).annotate({ description }))

/** The two ids are judged in the domain: their refusals have codes of their own (api-2.md §12). */
export const OverlaySubmitBody = Schema.Struct({
  video_media_id: described(Schema.String, "Required. An MP4, QuickTime or WebM of at most 500 MiB and 10 minutes."),
  audio_media_id: described(
    Schema.String,
    "Required. A file with sound of at most 100 MiB; it may be a video, whose picture is not used."
  ),
  mode: described(mode, "`mix` (default) adds the sound to the video's own, `replace` drops the video's own."),
  video_volume: described(videoVolume, "0 to 100 (default): how loud the video's own sound stays."),
  audio_volume: described(
    audioVolume,
    "0 to 100 (default): how loud the laid sound is. The sum of both is not scaled."
  ),
  audio_start_ms: described(audioStartMs, "Where in the audio file the sound begins; 0. Below the file's length."),
  fit: described(
    fit,
    "Audio that is shorter than the video is followed by silence (`trim_to_video`, default) or begins again at its " +
      "file's start (`loop_to_video`). Longer audio is cut."
  )
}).annotate({
  examples: [
    {
      video_media_id: "med_01k9j8mfa2s4d6f8g0h2j4k6m8",
      audio_media_id: "med_01k9j8s7d9f1g3h5j7k9m1n3pq",
      audio_volume: 60,
      fit: "loop_to_video"
    }
  ]
})

const notFound = errors("not_found", "media_processing_unavailable")
const params = { id: Schema.String }

/** `/v1/media/audio-overlays` (api-2.md §12). */
export class OverlaysApi extends HttpApiGroup.make("overlays")
  .add(
    HttpApiEndpoint.post("create", "/", {
      headers: {
        "idempotency-key": Schema.optionalKey(
          Schema.String.annotate({
            description: "1 to 255 visible ASCII characters; per workspace, apart from the keys of conversions."
          })
        )
      },
      payload: OverlaySubmitBody,
      success: dataBody(OverlayBody, 202),
      error: [
        ...jsonErrors,
        ...errors(
          "video_media_id_required",
          "audio_media_id_required",
          "media_not_found",
          "idempotency_conflict",
          "input_media_unavailable",
          "video_stream_required",
          "audio_stream_required",
          "media_size_exceeded",
          "media_processing_capacity_exceeded",
          "media_processing_unavailable"
        )
      ]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Lay a sound over a video",
        description:
          "Queues one overlay and answers at once; poll the job. The video keeps its length and its picture; the sound " +
          "becomes AAC, as long as the picture. It counts as an active media job beside conversions, and not for the " +
          "conversions of 24 hours. The same key and input give the same job again."
      })
    ),
    HttpApiEndpoint.get("list", "/", {
      query: { ...listQuery, status: Schema.optionalKey(Schema.Literals(jobStatuses)) },
      success: pageBody(OverlayBody),
      error: errors("media_processing_unavailable")
    })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotateMerge(
        OpenApi.annotations({
          summary: "List audio overlays, newest first",
          description: "All of the workspace, or those of one `status`."
        })
      ),
    HttpApiEndpoint.get("find", "/:id", {
      params,
      success: dataBody(OverlayBody),
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read an audio overlay",
        description:
          "Poll it every 2 to 10 seconds, for up to 15 minutes; what waits in the queue is not part of the five minutes that an overlay may take."
      })
    ),
    HttpApiEndpoint.delete("cancel", "/:id", {
      params,
      success: dataBody(OverlayBody),
      error: [...notFound, ...errors("job_already_ended")]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Cancel a queued or processing overlay",
        description: "It answers the job, which has ended by then with the code `canceled`."
      })
    )
  )
  .prefix("/v1/media/audio-overlays")
  .middleware(MediaValidation)
  .middleware(ConversionsAuthentication)
  .annotate(OpenApi.Description, "Sounds laid over videos.") {}
