import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import type { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import type { Issue } from "../../api/ErrorBody.ts"
import { AdminValidation, InboxValidation, MediaValidation } from "../../api/Validation.ts"
import { Cursors, notItsCursor, parseCursor } from "./Cursors.ts"
import { InvalidRequest, sentenceOf, toIssues } from "./issues.ts"
import { isFilter, type ListName, listOf, listUse, scopeText } from "./listUse.ts"
import { refuse } from "./refuse.ts"
import { CurrentRequestFacts } from "./requestFacts.ts"

/** Media and conversions answer 422 (api.md §1). */
export const refuseMediaRequest = (issues: ReadonlyArray<Issue>) =>
  refuse("validation_error", sentenceOf(issues), { issues })

/** The inbox and the administration answer 400. */
export const refusePlainRequest = (issues: ReadonlyArray<Issue>) =>
  refuse("VALIDATION_ERROR", sentenceOf(issues), { issues })

/** What is wrong with a request to the inbox or the administration, for `catchTags`. */
export const plainRequestRefusal = { InvalidRequest: ({ issues }: InvalidRequest) => refusePlainRequest(issues) }

/** Likewise of one to media or conversions. */
export const mediaRequestRefusal = { InvalidRequest: ({ issues }: InvalidRequest) => refuseMediaRequest(issues) }

type Query = Readonly<Record<string, string | ReadonlyArray<string>>>

interface Called {
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: HttpApiGroup.Top
}

/** Whose list it is: the path says it of what belongs to a workspace, and the caller of their own. */
const useOf = Effect.fnUntraced(function* (list: ListName, query: Query) {
  const { params } = yield* HttpRouter.RouteContext
  const { workspaceId = "" } = yield* CurrentRequestFacts
  const owner = query["external_user_id"]
  if (list === "inbox" || list === "accounts" || list === "posts") {
    return listUse(list, workspaceId, query, [scopeText(Predicate.isString(owner) ? owner : undefined)])
  }
  if (list === "workspaces") return listUse(list, "", query)
  return listUse(list, params["id"] ?? workspaceId, query)
})

const makeJudge = Effect.gen(function* () {
  const cursors = yield* Cursors

  /** A list judges its cursor once its query could be read. Where it could not, the cursor is judged here, with it. */
  const judgeCursor = Effect.fnUntraced(function* (
    { endpoint, group }: Called,
    query: Query,
    faults: ReadonlyArray<Issue>
  ) {
    const list = listOf(group.identifier, endpoint.identifier)
    const { cursor } = query
    if (Option.isNone(list) || !Predicate.isString(cursor) || faults.some(({ path }) => path === "cursor")) return []
    if (Option.isNone(parseCursor(cursor))) return [notItsCursor]
    // It belongs to its filters: while one of them can't be read, nobody can tell whether it is theirs.
    if (faults.some(({ path }) => isFilter(list.value, path))) return []
    const opened = cursors.open(yield* useOf(list.value, query), cursor)
    return yield* Effect.match(opened, { onSuccess: () => [], onFailure: ({ issues }) => issues })
  })

  return Effect.fnUntraced(function* ({ cause, kind }: HttpApiSchemaError, called: Called) {
    // An answer of ours that does not encode.
    if (kind === "Body" || kind === "ResponseHeaders") return yield* Effect.die(cause)
    const query = yield* HttpServerRequest.ParsedSearchParams
    const issues = toIssues(cause.issue, kind.toLowerCase()).map(({ message, path }) =>
      kind === "Query" && Array.isArray(query[path]) ? { path, message: "must be given once" } : { path, message }
    )
    return yield* new InvalidRequest({ issues: [...issues, ...(yield* judgeCursor(called, query, issues))] })
  })
})

/** Turns what does not decode into the group's validation error. */
export const layer = Layer.unwrap(
  Effect.map(makeJudge, (judge) =>
    Layer.mergeAll(
      HttpApiMiddleware.layerSchemaErrorTransform(MediaValidation, (error, called) =>
        Effect.catchTag(judge(error, called), "InvalidRequest", ({ issues }) => refuseMediaRequest(issues))
      ),
      HttpApiMiddleware.layerSchemaErrorTransform(AdminValidation, (error, called) =>
        Effect.catchTag(judge(error, called), "InvalidRequest", ({ issues }) => refusePlainRequest(issues))
      ),
      HttpApiMiddleware.layerSchemaErrorTransform(InboxValidation, (error, called) =>
        Effect.catchTag(judge(error, called), "InvalidRequest", ({ issues }) => refusePlainRequest(issues))
      )
    )
  )
)
