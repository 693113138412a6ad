import type { SentReply } from "@loopbox/core/networks/Reply"
import type { WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { PrivateReply } from "@loopbox/core/networks/moderating/NetworkModerate"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Id, OptionalId, reader } from "../payloads/payload.ts"
import type { GraphApi, GraphCall } from "./graphApi.ts"
import { messagePosted, ownSpeech } from "./messaging.ts"

const readSent = reader(Schema.Struct({ message_id: Id, recipient_id: OptionalId }))

/**
 * One message for a comment, of which Meta takes no second one. The conversation is that with whom Meta names in its
 * answer, or who wrote the comment.
 */
export const sendPrivateMessage = Effect.fnUntraced(function* (
  graph: GraphApi,
  call: GraphCall,
  source: "ig_dm" | "fb_dm",
  { authorId, externalId, operationId, text }: PrivateReply
): Effect.fn.Return<SentReply, WriteFailed> {
  const isFacebook = source === "fb_dm"
  const message = isFacebook ? { text, metadata: operationId } : { text }
  const sent = yield* graph.write(call, { json: { recipient: { comment_id: externalId }, message } }, readSent)
  const person = Option.getOrElse(
    Option.orElse(sent.recipient_id, () => authorId),
    () => externalId
  )
  const speech = ownSpeech(source, call.access.networkAccountId, person, yield* DateTime.now)
  return {
    posted: messagePosted(speech, sent.message_id, text, {
      author: { username: isFacebook ? Option.none() : call.access.username },
      operationTag: isFacebook ? Option.some(operationId) : Option.none()
    })
  }
})
