import { jobStatuses } from "@loopbox/core/conversions/ConversionJob"
import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { ConversionsAuthentication } from "./Authentication.ts"
import { dataBody, pageBody } from "./DataBody.ts"
import { errorBody, jsonErrors } from "./ErrorBody.ts"
import { JobBody } from "./JobBody.ts"
import { listQuery, strictQuery } from "./ListQuery.ts"
import { MediaValidation } from "./Validation.ts"

/** Both members are judged in the domain: their refusals have codes of their own (api.md §6, rows 3 and 4). */
export const SubmitBody = Schema.Struct({
  gif_media_id: Schema.optionalKey(Schema.NullOr(Schema.String).annotate({ description: "Required." })),
  background_color: Schema.optionalKey(
    Schema.NullOr(Schema.String).annotate({ description: "`#RRGGBB`, seen through transparent pixels; `#FFFFFF`." })
  )
}).annotate({ examples: [{ gif_media_id: "med_01k9j8kz7c5r3n1p9h7f5d3b1a", background_color: "#FFFFFF" }] })

const unavailable = errorBody(503, ["media_processing_unavailable"])
const notFound = errorBody(404, ["not_found"])
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
        errorBody(404, ["media_not_found"]),
        errorBody(409, ["idempotency_conflict", "input_media_unavailable"]),
        errorBody(422, ["gif_media_required", "invalid_background_color", "gif_size_exceeded"]),
        errorBody(429, ["media_processing_capacity_exceeded", "gif_conversion_rate_limit_exceeded"]),
        unavailable
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
      error: unavailable
    })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotate(OpenApi.Summary, "List conversions, newest first"),
    HttpApiEndpoint.get("find", "/:id", {
      params,
      success: dataBody(JobBody),
      error: [notFound, unavailable]
    }).annotate(OpenApi.Summary, "Read a conversion"),
    HttpApiEndpoint.delete("cancel", "/:id", {
      params,
      success: dataBody(JobBody),
      error: [notFound, errorBody(409, ["job_already_ended"]), unavailable]
    }).annotate(OpenApi.Summary, "Cancel a queued or processing conversion")
  )
  .prefix("/v1/media/gif-conversions")
  .middleware(MediaValidation)
  .middleware(ConversionsAuthentication)
  .annotate(OpenApi.Description, "GIF to MP4, profile `universal_mp4_v1`.") {}
