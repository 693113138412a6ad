import { contentTypes } from "@loopbox/core/media/ContentType"
import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Authentication, ContentAccess, UploadLink } from "./Authentication.ts"
import { dataBody, pageBody } from "./DataBody.ts"
import { errorBody } from "./ErrorBody.ts"
import { listQuery, strictQuery } from "./ListQuery.ts"
import { MediaBody } from "./MediaBody.ts"
import { describeContent, describeUpload } from "./mediaDocument.ts"
import { MediaValidation } from "./Validation.ts"

/** Reserves an upload whose bytes come later, by PUT to its `upload_url`. */
export const ReservationBody = Schema.Struct({
  content_type: Schema.String.annotate({ description: `One of ${contentTypes.join(", ")}.` }),
  filename: Schema.optionalKey(Schema.NullOr(Schema.String)),
  size_bytes: Schema.optionalKey(Schema.NullOr(Schema.Int))
}).annotate({ examples: [{ content_type: "image/gif", filename: "cat.gif", size_bytes: 48213 }] })

/** One part, named `file`. */
export const UploadForm = Schema.Struct({ file: Schema.Unknown }).pipe(HttpApiSchema.asMultipartStream())

const params = { id: Schema.String }
const link = { expires: Schema.optionalKey(Schema.String), sig: Schema.optionalKey(Schema.String) }
const notFound = errorBody(404, ["media_not_found"])
const unavailable = errorBody(503, ["TEMPORARILY_UNAVAILABLE"])
const uploadErrors = [
  errorBody(408, ["REQUEST_TIMEOUT"]),
  errorBody(413, ["PAYLOAD_TOO_LARGE"]),
  errorBody(415, ["UNSUPPORTED_MEDIA_TYPE"]),
  errorBody(422, ["validation_error"]),
  unavailable
] as const

const filename = Schema.optionalKey(
  Schema.String.annotate({ description: "The file's name, percent-encoded UTF-8, for an upload of bytes." })
)

/** `/v1/media` (api.md §5). */
export class MediaApi extends HttpApiGroup.make("media")
  .add(
    HttpApiEndpoint.post("upload", "/", {
      headers: { "x-filename": filename },
      payload: [HttpApiSchema.StreamUint8Array({ contentType: contentTypes }), UploadForm, ReservationBody],
      success: dataBody(MediaBody, 201),
      error: [...uploadErrors, errorBody(401, ["UNAUTHORIZED"])]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Upload a file, or reserve an upload",
          description:
            "The bytes themselves with their Content-Type, a form with one `file`, or JSON that reserves an upload. " +
            "The bytes decide the type. At most 4 GiB.",
          transform: describeUpload
        })
      )
      .middleware(Authentication),
    HttpApiEndpoint.get("list", "/", { query: listQuery, success: pageBody(MediaBody), error: unavailable })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotate(OpenApi.Summary, "List media, newest first")
      .middleware(Authentication),
    HttpApiEndpoint.get("find", "/:id", { params, success: dataBody(MediaBody), error: [notFound, unavailable] })
      .annotate(OpenApi.Summary, "Read a media record")
      .middleware(Authentication),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: dataBody(Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) })),
      error: [notFound, errorBody(409, ["media_in_use"]), unavailable]
    })
      .annotate(OpenApi.Summary, "Delete a file")
      .middleware(Authentication),
    HttpApiEndpoint.put("finish", "/:id/content", {
      params,
      query: link,
      payload: HttpApiSchema.StreamUint8Array({ contentType: "application/octet-stream" }),
      success: dataBody(MediaBody),
      error: [...uploadErrors, notFound, errorBody(409, ["upload_already_finished"])]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Send the bytes of a reserved upload",
          description: "The address is `upload_url` as it was given; the Content-Type is not looked at."
        })
      )
      .middleware(UploadLink),
    HttpApiEndpoint.get("content", "/:id/content", {
      params,
      query: link,
      success: HttpApiSchema.StreamUint8Array({ contentType: "application/octet-stream" }),
      error: [
        notFound,
        errorBody(409, ["media_not_ready"]),
        errorBody(412, ["PRECONDITION_FAILED"]),
        errorBody(416, ["RANGE_NOT_SATISFIABLE"]),
        unavailable
      ]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Download a file",
          description: "With an API key, or by `download_url` as it was given. Ranges and conditions as in RFC 9110.",
          transform: describeContent
        })
      )
      .middleware(ContentAccess)
  )
  .prefix("/v1/media")
  .middleware(MediaValidation)
  .annotate(OpenApi.Description, "Files: uploaded ones, and the videos that conversions make.") {}
