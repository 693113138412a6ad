import * as Schema from "effect/Schema"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"

/** The success envelope (api.md §1). */
export const dataBody = <S extends Schema.Top>(data: S, status = 200) =>
  Schema.Struct({ data, request_id: Schema.String }).pipe(HttpApiSchema.status(status))

/** The success envelope of a list; `next_cursor` is null on the last page. */
export const pageBody = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    data: Schema.Array(item),
    next_cursor: Schema.NullOr(Schema.String),
    request_id: Schema.String
  })

/** RFC 3339, UTC, with milliseconds. */
export const Time = Schema.String.annotate({ format: "date-time", examples: ["2026-11-21T07:00:00.000Z"] })
