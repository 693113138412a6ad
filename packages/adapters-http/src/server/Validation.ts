import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import type { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import type { Issue } from "../api/ErrorBody.ts"
import { AdminValidation, InboxValidation, MediaValidation } from "../api/Validation.ts"
import { InvalidRequest, sentenceOf, toIssues } from "./issues.ts"
import { refuse } from "./refuse.ts"

/** Media and conversions answer 422 (api.md §1). */
export const refuseMediaRequest = (issues: ReadonlyArray<Issue>) =>
  refuse("validation_error", sentenceOf(issues), { issues })

/** The inbox and the administration answer 400. */
export const refusePlainRequest = (issues: ReadonlyArray<Issue>) =>
  refuse("VALIDATION_ERROR", sentenceOf(issues), { issues })

const judge = Effect.fnUntraced(function* ({ cause, kind }: HttpApiSchemaError) {
  // An answer of ours that does not encode.
  if (kind === "Body" || kind === "ResponseHeaders") return yield* Effect.die(cause)
  const query = yield* HttpServerRequest.ParsedSearchParams
  const issues = toIssues(cause.issue, kind.toLowerCase()).map(({ message, path }) =>
    kind === "Query" && Array.isArray(query[path]) ? { path, message: "must be given once" } : { path, message }
  )
  return yield* new InvalidRequest({ issues })
})

/** Turns what does not decode into the group's validation error. */
export const layer = Layer.mergeAll(
  HttpApiMiddleware.layerSchemaErrorTransform(MediaValidation, (error) =>
    Effect.catchTag(judge(error), "InvalidRequest", ({ issues }) => refuseMediaRequest(issues))
  ),
  HttpApiMiddleware.layerSchemaErrorTransform(AdminValidation, (error) =>
    Effect.catchTag(judge(error), "InvalidRequest", ({ issues }) => refusePlainRequest(issues))
  ),
  HttpApiMiddleware.layerSchemaErrorTransform(InboxValidation, (error) =>
    Effect.catchTag(judge(error), "InvalidRequest", ({ issues }) => refusePlainRequest(issues))
  )
)
