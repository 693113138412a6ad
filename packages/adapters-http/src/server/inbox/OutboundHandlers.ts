import { MediaContexts } from "@loopbox/core/inbox/MediaContexts"
import { Replies } from "@loopbox/core/replies/Replies"
import { showOperation } from "@loopbox/core/outbound/showOperation"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../api/Api.ts"
import { CurrentEntitlement } from "../../api/inbox/InboxAuthorization.ts"
import { toMediaContextBody } from "../../api/inbox/MediaContextBody.ts"
import { toOperationBody } from "../../api/inbox/OperationBody.ts"
import { PrivateReplyBody, ReplyBody } from "../../api/inbox/OutboundApi.ts"
import {
  mediaContextRefusals,
  operationRefusals,
  privateReplyRefusals,
  replyRefusals,
  toReplyIssue
} from "./outboundRefusals.ts"
import { readKeyed } from "../edge/readKeyed.ts"
import { answer, setAnswerHeaders } from "../edge/refuse.ts"
import { replyAnswer } from "./replyAnswer.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "outbound",
  Effect.fnUntraced(function* (handlers) {
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
          const judge = yield* replies.judge(caller, params.id)
          const { body, idempotencyKey } = yield* readKeyed(ReplyBody, ({ given: { text } }) =>
            Effect.succeed(judge(Option.liftPredicate(text, Predicate.isString)).map(toReplyIssue))
          )
          return yield* replyAnswer(yield* replies.reply(caller, params.id, { ...body, idempotencyKey }))
        }, Effect.catchTags(replyRefusals))
      )
      .handleRaw(
        "privateReply",
        Effect.fnUntraced(function* ({ params }) {
          const caller = yield* CurrentEntitlement
          const judge = yield* replies.judgePrivately(caller, params.id)
          const { body, idempotencyKey } = yield* readKeyed(PrivateReplyBody, ({ given: { text } }) =>
            Effect.succeed(judge(Option.liftPredicate(text, Predicate.isString)).map(toReplyIssue))
          )
          const request = { text: body.text, idempotencyKey }
          return yield* replyAnswer(yield* replies.replyPrivately(caller, params.id, request))
        }, Effect.catchTags(privateReplyRefusals))
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
