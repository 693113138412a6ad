import { Conversions } from "@loopbox/core/conversions/Conversions"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../api/Api.ts"
import { SubmitBody } from "../api/ConversionsApi.ts"
import { CurrentCaller } from "../api/CurrentCaller.ts"
import { toJobBody } from "../api/JobBody.ts"
import { defaultLimit } from "../api/ListQuery.ts"
import { cancelRefusals, jobRefusals, listRefusals, submitRefusals } from "./conversionRefusals.ts"
import { Cursors, toPageBody } from "./Cursors.ts"
import { readKeyed } from "./readKeyed.ts"
import { answer } from "./refuse.ts"

/** Body and key of a submit. */
const readSubmit = Effect.map(readKeyed(SubmitBody), ({ body, idempotencyKey }) => ({
  gifMediaId: Option.fromNullishOr(body.gif_media_id),
  backgroundColor: Option.fromNullishOr(body.background_color),
  idempotencyKey
}))

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
