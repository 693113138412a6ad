import { contentTypes } from "@loopbox/core/media/ContentType"
import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Authentication, ContentAccess, UploadLink } from "../Authentication.ts"
import { dataBody, pageBody } from "../DataBody.ts"
import { errors, jsonErrors } from "../ErrorBody.ts"
import { listQuery, strictQuery } from "../ListQuery.ts"
import { Filename } from "./filename.ts"
import { MediaBody } from "./MediaBody.ts"
import { describeContent, describeUpload } from "./mediaDocument.ts"
import { MediaValidation } from "../Validation.ts"
import { wholeNumber } from "../wholeNumber.ts"

/** Reserves an upload whose bytes come later, by PUT to its `upload_url`. */
export const ReservationBody = Schema.Struct({
  content_type: Schema.String.annotate({ description: `One of ${contentTypes.join(", ")}.` }),
  filename: Schema.optionalKey(Schema.NullOr(Filename)),
  size_bytes: Schema.optionalKey(Schema.NullOr(wholeNumber({ minimum: 1 })))
}).annotate({ examples: [{ content_type: "image/gif", filename: "cat.gif", size_bytes: 48213 }] })

/** One part, named `file`. */
export const UploadForm = Schema.Struct({ file: Schema.Unknown }).pipe(HttpApiSchema.asMultipartStream())

const params = { id: Schema.String }
const link = { expires: Schema.optionalKey(Schema.String), sig: Schema.optionalKey(Schema.String) }
const notFound = errors("media_not_found", "TEMPORARILY_UNAVAILABLE")
const uploadErrors = [...jsonErrors, ...errors("validation_error", "TEMPORARILY_UNAVAILABLE")]

const filename = Schema.optionalKey(
  Schema.String.annotate({ description: "The file's name, percent-encoded UTF-8, for an upload of bytes." })
)

const Deleted = Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }).annotate({
  examples: [{ id: "med_01k9j8n3q5s7u9w1y3a5c7e9g1", deleted: true }]
})

/** `/v1/media` (api.md §5). */
export class MediaApi extends HttpApiGroup.make("media")
  .add(
    HttpApiEndpoint.post("upload", "/", {
      headers: { "x-filename": filename },
      payload: [HttpApiSchema.StreamUint8Array({ contentType: contentTypes }), UploadForm, ReservationBody],
      success: dataBody(MediaBody, 201),
      error: [...uploadErrors, ...errors("UNAUTHORIZED")]
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
    HttpApiEndpoint.get("list", "/", {
      query: listQuery,
      success: pageBody(MediaBody),
      error: errors("TEMPORARILY_UNAVAILABLE")
    })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotateMerge(
        OpenApi.annotations({
          summary: "List media, newest first",
          description: "Uploads, and the videos that conversions made, until their time is over."
        })
      )
      .middleware(Authentication),
    HttpApiEndpoint.get("find", "/:id", { params, success: dataBody(MediaBody), error: notFound })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Read a media record",
          description:
            "Each answer carries a new `download_url` that is good for an hour, or the `upload_url` of a pending one."
        })
      )
      .middleware(Authentication),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: dataBody(Deleted),
      error: [...notFound, ...errors("media_in_use")]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete a file",
          description: "Not while a conversion reads it. A video that was made of it stays."
        })
      )
      .middleware(Authentication),
    HttpApiEndpoint.put("finish", "/:id/content", {
      params,
      query: link,
      payload: HttpApiSchema.StreamUint8Array({ contentType: "application/octet-stream" }),
      success: dataBody(MediaBody),
      error: [...uploadErrors, ...errors("media_not_found", "upload_already_finished")]
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
      error: [...notFound, ...errors("media_not_ready", "PRECONDITION_FAILED", "RANGE_NOT_SATISFIABLE")]
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
