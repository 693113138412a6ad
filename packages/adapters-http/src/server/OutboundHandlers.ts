import { Inbox } from "@loopbox/core/inbox/Inbox"
import { MediaContexts } from "@loopbox/core/inbox/MediaContexts"
import { Replies } from "@loopbox/core/outbound/Replies"
import { showOperation } from "@loopbox/core/outbound/ShownOperation"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../api/Api.ts"
import { CurrentEntitlement } from "../api/InboxAccess.ts"
import { toMediaContextBody } from "../api/MediaContextBody.ts"
import { toOperationBody } from "../api/OperationBody.ts"
import { ReplyBody } from "../api/OutboundApi.ts"
import { mediaContextRefusals, operationRefusals, replyRefusals } from "./outboundRefusals.ts"
import { readKeyed } from "./readKeyed.ts"
import { answer, setAnswerHeaders } from "./refuse.ts"
import { replyAnswer } from "./replyAnswer.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "outbound",
  Effect.fnUntraced(function* (handlers) {
    const inbox = yield* Inbox
    const replies = yield* Replies
    const contexts = yield* MediaContexts

    const findOperation = Effect.fnUntraced(function* (id: string) {
      const operation = yield* replies.find(yield* CurrentEntitlement, id)
      yield* setAnswerHeaders({ "x-operation-id": operation.id })
      return yield* answer(toOperationBody(showOperation(operation)))
    }, Effect.catchTags(operationRefusals))

    return handlers
      .handleRaw(
        "reply",
        Effect.fnUntraced(function* ({ params }) {
          const caller = yield* CurrentEntitlement
          // Before the body is looked at: another's item is absent, whatever is asked of it (api.md §2).
          yield* inbox.find(caller, params.id)
          const { body, idempotencyKey } = yield* readKeyed(ReplyBody)
          return yield* replyAnswer(yield* replies.reply(caller, params.id, { text: body.text, idempotencyKey }))
        }, Effect.catchTags(replyRefusals))
      )
      .handleAll({
        findMediaContext: Effect.fnUntraced(function* ({ params }) {
          const { age, cache, context } = yield* contexts.find(yield* CurrentEntitlement, params.id)
          yield* setAnswerHeaders({ "x-cache": cache, age: String(Math.floor(Duration.toSeconds(age))) })
          return yield* answer(toMediaContextBody(context))
        }, Effect.catchTags(mediaContextRefusals)),
        findOperation: ({ params }) => findOperation(params.id),
        findXOperation: ({ params }) => findOperation(params.requestID)
      })
  })
)
