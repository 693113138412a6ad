import * as Schema from "effect/Schema"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { byStatus, type ErrorCode, type StatusOf } from "./errorCodes.ts"

/** One fault of a request: where it is, and what is wanted there. */
export const Issue = Schema.Struct({
  path: Schema.String,
  message: Schema.String,
  code: Schema.optionalKey(Schema.String.annotate({ description: "Which limit or rule it is; of posts." })),
  actual: Schema.optionalKey(
    Schema.NullOr(Schema.Union([Schema.String, Schema.Finite])).annotate({ description: "What the post has." })
  ),
  limit: Schema.optionalKey(
    Schema.NullOr(Schema.Union([Schema.String, Schema.Finite])).annotate({ description: "What the network takes." })
  )
}).annotate({ identifier: "Issue" })
export type Issue = typeof Issue.Type

/** What an error says besides its code and its sentence. */
export const Details = Schema.Struct({
  issues: Schema.optionalKey(
    Schema.Array(Issue).annotate({ description: "All faults of a request that is not valid." })
  ),
  reset_at: Schema.optionalKey(Schema.String.annotate({ description: "When one more is admitted." })),
  limit: Schema.optionalKey(Schema.Int.annotate({ description: "The limit that was reached." })),
  reason: Schema.optionalKey(Schema.String.annotate({ description: "Which of the code's causes it is." })),
  operation_id: Schema.optionalKey(Schema.String.annotate({ description: "The operation of the reply." })),
  network_code: Schema.optionalKey(
    Schema.NullOr(Schema.String).annotate({ description: "The network's own code; null where it was not asked." })
  ),
  missing_scopes: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({ description: "What the account's credential lacks." })
  ),
  settings: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({ description: "Names of the settings that the host lacks." })
  ),
  required_plan: Schema.optionalKey(Schema.String.annotate({ description: "The least plan that has it." }))
})
export type Details = typeof Details.Type

/** The error envelope (api.md §1) with the codes that may stand in it. */
const errorBody = <C extends ErrorCode>(status: number, codes: ReadonlyArray<C>) =>
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.Literals(codes),
      message: Schema.String.annotate({ description: "For a person: what to do." }),
      details: Schema.optionalKey(Details)
    }),
    request_id: Schema.String
  }).pipe(HttpApiSchema.status(status))

/** The errors with these codes, one envelope for each status that they have. */
export const errors = <const C extends ErrorCode>(...codes: ReadonlyArray<C>) =>
  Array.from(byStatus(codes), ([status, group]) => errorBody(status, group))

/** The error of a code where its status is one of its others. */
export const errorAt = <const C extends ErrorCode>(status: StatusOf<C>, code: C) => errorBody(status, [code])

/** Of a request that takes JSON: the body does not come, is too large, or is something else than JSON. */
export const jsonErrors = errors("REQUEST_TIMEOUT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE")
