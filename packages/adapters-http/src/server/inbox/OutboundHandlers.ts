import { MediaContexts } from "@loopbox/core/inbox/MediaContexts"
import { Replies, type ReplyDraft } from "@loopbox/core/replies/Replies"
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
import { type GivenKeyed, readKeyed } from "../edge/readKeyed.ts"
import { answer, setAnswerHeaders } from "../edge/refuse.ts"
import { replyAnswer } from "./replyAnswer.ts"

/** What is judged of a body, whatever its members are: no text is an empty one, unless nobody knows whether it has files. */
const toDraft = ({ given: body, hasKey }: GivenKeyed): ReplyDraft => {
  const [given, text] = [body["media_ids"] ?? [], body["text"] ?? ""]
  const mediaIds = Array.isArray(given) ? given.filter(Predicate.isString) : undefined
  return mediaIds === undefined
    ? { text: Option.none(), mediaIds: [], hasKey }
    : { text: Option.liftPredicate(text, Predicate.isString), mediaIds, hasKey }
}

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
          const { body, idempotencyKey } = yield* readKeyed(ReplyBody, (given) =>
            Effect.succeed(judge(toDraft(given)).map(toReplyIssue))
          )
          const asked = {
            text: body.text ?? "",
            mediaIds: body.media_ids ?? undefined,
            tag: body.tag ?? undefined,
            idempotencyKey
          }
          return yield* replyAnswer(yield* replies.reply(caller, params.id, asked))
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
