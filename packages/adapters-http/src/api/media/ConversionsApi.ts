import { jobStatuses } from "@loopbox/core/jobs/MediaJob"
import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { ConversionsAuthentication } from "../Authentication.ts"
import { dataBody, pageBody } from "../DataBody.ts"
import { errors, jsonErrors } from "../ErrorBody.ts"
import { JobBody } from "./JobBody.ts"
import { listQuery, strictQuery } from "../ListQuery.ts"
import { MediaValidation } from "../Validation.ts"

/** Both members are judged in the domain: their refusals have codes of their own (api.md §6, rows 3 and 4). */
export const SubmitBody = Schema.Struct({
  gif_media_id: Schema.optionalKey(Schema.NullOr(Schema.String).annotate({ description: "Required." })),
  background_color: Schema.optionalKey(
    Schema.NullOr(Schema.String).annotate({ description: "`#RRGGBB`, seen through transparent pixels; `#FFFFFF`." })
  )
}).annotate({ examples: [{ gif_media_id: "med_01k9j8kz7c5r3n1p9h7f5d3b1a", background_color: "#FFFFFF" }] })

const notFound = errors("not_found", "media_processing_unavailable")
const params = { id: Schema.String }

/** `/v1/media/gif-conversions` (§4.3, §4.4, api.md §6). */
export class ConversionsApi extends HttpApiGroup.make("conversions")
  .add(
    HttpApiEndpoint.post("create", "/", {
      headers: {
        "idempotency-key": Schema.optionalKey(
          Schema.String.annotate({ description: "1 to 255 visible ASCII characters; per workspace." })
        )
      },
      payload: SubmitBody,
      success: dataBody(JobBody, 202),
      error: [
        ...jsonErrors,
        ...errors(
          "media_not_found",
          "idempotency_conflict",
          "input_media_unavailable",
          "gif_media_required",
          "invalid_background_color",
          "gif_size_exceeded",
          "media_processing_capacity_exceeded",
          "gif_conversion_rate_limit_exceeded",
          "media_processing_unavailable"
        )
      ]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Convert a GIF",
        description:
          "Queues one conversion and answers at once; poll the job. The same key and input give the same job again, " +
          "at no cost. Neither a draft nor a post is touched."
      })
    ),
    HttpApiEndpoint.get("list", "/", {
      query: { ...listQuery, status: Schema.optionalKey(Schema.Literals(jobStatuses)) },
      success: pageBody(JobBody),
      error: errors("media_processing_unavailable")
    })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotateMerge(
        OpenApi.annotations({
          summary: "List conversions, newest first",
          description: "All of the workspace, or those of one `status`."
        })
      ),
    HttpApiEndpoint.get("find", "/:id", {
      params,
      success: dataBody(JobBody),
      error: notFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read a conversion",
        description:
          "Poll it every 2 to 10 seconds, for up to 15 minutes; what waits in the queue is not part of the five minutes that a conversion may take."
      })
    ),
    HttpApiEndpoint.delete("cancel", "/:id", {
      params,
      success: dataBody(JobBody),
      error: [...notFound, ...errors("job_already_ended")]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Cancel a queued or processing conversion",
        description:
          "It answers the job, which has ended by then with the code `canceled`. The unit of the daily limit stays consumed."
      })
    )
  )
  .prefix("/v1/media/gif-conversions")
  .middleware(MediaValidation)
  .middleware(ConversionsAuthentication)
  .annotate(OpenApi.Description, "GIF to MP4, profile `universal_mp4_v1`.") {}
