import { Conversions } from "@loopbox/core/conversions/Conversions"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../api/Api.ts"
import { SubmitBody } from "../../api/media/ConversionsApi.ts"
import { CurrentCaller } from "../../api/CurrentCaller.ts"
import { toJobBody } from "../../api/media/JobBody.ts"
import { submitRefusals, submitRules } from "./conversionRefusals.ts"
import { readKeyed } from "../edge/readKeyed.ts"
import { answer } from "../edge/refuse.ts"
import { jobHandlers } from "../jobs/jobHandlers.ts"

/** Body and key of a submit. */
const readSubmit = Effect.map(readKeyed(SubmitBody, submitRules), ({ body, idempotencyKey }) => ({
  gifMediaId: Option.fromNullishOr(body.gif_media_id),
  backgroundColor: Option.fromNullishOr(body.background_color),
  idempotencyKey
}))

export const layer = HttpApiBuilder.group(
  Api,
  "conversions",
  Effect.fnUntraced(function* (handlers) {
    const conversions = yield* Conversions
    return handlers
      .handleRaw(
        "create",
        Effect.fnUntraced(function* () {
          const { workspace } = yield* CurrentCaller
          const request = yield* readSubmit
          return yield* answer(toJobBody(yield* conversions.submit({ ...request, workspaceId: workspace.id })))
        }, Effect.catchTags(submitRefusals))
      )
      .handleAll(yield* jobHandlers("gif-conversions", conversions, toJobBody))
  })
)
