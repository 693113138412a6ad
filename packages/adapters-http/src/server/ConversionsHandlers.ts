import { IdempotencyKey } from "@loopbox/core/kernel/IdempotencyKey"
import { Conversions } from "@loopbox/core/conversions/Conversions"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../api/Api.ts"
import { SubmitBody } from "../api/ConversionsApi.ts"
import { CurrentCaller } from "../api/CurrentCaller.ts"
import { toJobBody } from "../api/JobBody.ts"
import { defaultLimit } from "../api/ListQuery.ts"
import { cancelRefusals, jobRefusals, listRefusals, submitRefusals } from "./conversionRefusals.ts"
import { Cursors, toPageBody } from "./Cursors.ts"
import { InvalidRequest } from "./issues.ts"
import { readJson } from "./readJson.ts"
import { answer } from "./refuse.ts"

const isIdempotencyKey = Schema.is(IdempotencyKey)
const badKey = { path: "Idempotency-Key", message: "must be 1 to 255 visible ASCII characters" }

/** Body and key of a submit; what is wrong with either is said at once. */
const readSubmit = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const given = headers["idempotency-key"]
  const key = given === undefined || isIdempotencyKey(given) ? given : undefined
  const isBadKey = given !== undefined && key === undefined
  const body = yield* readJson(SubmitBody).pipe(
    Effect.catchTag("InvalidRequest", ({ issues }) =>
      Effect.fail(new InvalidRequest({ issues: isBadKey ? [...issues, badKey] : issues }))
    )
  )
  if (isBadKey) return yield* new InvalidRequest({ issues: [badKey] })
  return {
    gifMediaId: Option.fromNullishOr(body.gif_media_id),
    backgroundColor: Option.fromNullishOr(body.background_color),
    idempotencyKey: Option.fromUndefinedOr(key)
  }
})

export const layer = HttpApiBuilder.group(
  Api,
  "conversions",
  Effect.fnUntraced(function* (handlers) {
    const conversions = yield* Conversions
    const cursors = yield* Cursors
    return handlers
      .handleRaw(
        "create",
        Effect.fnUntraced(function* () {
          const { workspace } = yield* CurrentCaller
          const request = yield* readSubmit
          return yield* answer(toJobBody(yield* conversions.submit({ ...request, workspaceId: workspace.id })))
        }, Effect.catchTags(submitRefusals))
      )
      .handleAll({
        list: Effect.fnUntraced(function* ({ query }) {
          const { workspace } = yield* CurrentCaller
          const use = { list: "gif-conversions", workspaceId: workspace.id, filters: [query.status ?? ""] }
          const after = yield* cursors.open(use, query.cursor)
          const status = Option.fromUndefinedOr(query.status)
          const page = yield* conversions.list(workspace.id, status, { limit: query.limit ?? defaultLimit, after })
          return yield* toPageBody(cursors, use, page, toJobBody)
        }, Effect.catchTags(listRefusals)),
        find: Effect.fnUntraced(function* ({ params }) {
          const { workspace } = yield* CurrentCaller
          return yield* answer(toJobBody(yield* conversions.find(workspace.id, params.id)))
        }, Effect.catchTags(jobRefusals)),
        cancel: Effect.fnUntraced(function* ({ params }) {
          const { workspace } = yield* CurrentCaller
          return yield* answer(toJobBody(yield* conversions.cancel(workspace.id, params.id)))
        }, Effect.catchTags(cancelRefusals))
      })
  })
)
