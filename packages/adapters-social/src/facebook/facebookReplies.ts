import type { ReadFailed, WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import { unknownPerson } from "@loopbox/core/networks/InboundActivity"
import type { InboundActivity } from "@loopbox/core/networks/InboundActivity"
import type { FeedPage } from "@loopbox/core/networks/Feed"
import type { Reply, ReplyLook, SentReply, TextMeasure, UncertainReply } from "@loopbox/core/networks/Reply"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { GraphApi } from "../meta/graphApi.ts"
import { inCharacters } from "../meta/measureText.ts"
import { messagePosted, ownSpeech } from "../meta/messaging.ts"
import { humanAgent } from "../meta/humanAgent.ts"
import { messageContent, sentAttachments } from "../meta/replyAttachment.ts"
import { answersSince, ownAnswers } from "../meta/ownAnswers.ts"
import { Id, reader } from "../payloads/payload.ts"
import { commentPosted } from "./facebookComment.ts"
import { facebookKinds } from "./facebookKinds.ts"
import { readCommentPage } from "./readComments.ts"
import { readConversationWith } from "./readMessages.ts"

/** Limits of api.md §3: 8,000 characters of a comment, 2,000 of a message. */
export const facebookMeasure = (source: string, text: string): TextMeasure =>
  inCharacters(text, source === "fb_dm" ? 2_000 : 8_000)

const readCreated = reader(Schema.Struct({ id: Id }))
const readSent = reader(Schema.Struct({ message_id: Id }))

/** Maximum number of pages to search, newest first: 400 answers. */
const mostPages = 4

/** Replies to the first comment of the thread, also if a later one is answered. */
const sendComment = Effect.fnUntraced(function* (
  graph: GraphApi,
  access: AccountAccess,
  { media, target, text }: Reply
): Effect.fn.Return<SentReply, WriteFailed> {
  const call = { access, ...facebookKinds.answers, path: [target.threadKey, "comments"] }
  const form = {
    ...(text === "" ? {} : { message: text }),
    ...(media === undefined ? {} : { attachment_url: media.link })
  }
  const { id } = yield* graph.write(call, { form }, readCreated)
  const posted = commentPosted({
    accountId: access.networkAccountId,
    id,
    postId: target.linkedPostId,
    parentId: Option.some(target.threadKey),
    rootId: Option.some(target.threadKey),
    author: { ...unknownPerson, id: Option.some(access.networkAccountId) },
    text: Option.some(text),
    attachments: sentAttachments(media),
    at: yield* DateTime.now,
    permalink: Option.none()
  })
  return { posted }
})

/** A person's answer after the standard window has to say so. */
const messagingOf = (tag: Reply["tag"]) =>
  tag === undefined ? { messaging_type: "RESPONSE" } : { messaging_type: "MESSAGE_TAG", tag: humanAgent }

/** The operation's id is sent as metadata, which the echo of the message repeats. */
const sendMessage = Effect.fnUntraced(function* (
  graph: GraphApi,
  access: AccountAccess,
  reply: Reply
): Effect.fn.Return<SentReply, WriteFailed> {
  const { media, operationId, tag, target, text } = reply
  const call = { access, ...facebookKinds.messages, path: [access.networkAccountId, "messages"] }
  const json = {
    recipient: { id: target.threadKey },
    ...messagingOf(tag),
    message: { ...messageContent(reply), metadata: operationId }
  }
  const { message_id } = yield* graph.write(call, { json }, readSent)
  const speech = ownSpeech("fb_dm", access.networkAccountId, target.threadKey, yield* DateTime.now)
  const more = { attachments: sentAttachments(media), operationTag: Option.some(operationId) }
  return { posted: messagePosted(speech, message_id, text, more) }
})

const findComment = Effect.fnUntraced(function* (
  graph: GraphApi,
  access: AccountAccess,
  uncertain: UncertainReply
): Effect.fn.Return<ReplyLook, ReadFailed> {
  const { linkedPostId, threadKey } = uncertain.reply.target
  const below = { id: threadKey, postId: linkedPostId, rootId: Option.some(threadKey), size: Option.none<number>() }
  const activities: Array<InboundActivity> = []
  let cursor: Option.Option<string> = Option.none()
  for (let pages = 0; pages < mostPages; pages++) {
    const page: FeedPage = yield* readCommentPage(graph, access, below, {
      cursor,
      limit: Option.none()
    })
    activities.push(...page.activities)
    const isPast = Option.exists(page.coversFrom, (at) => DateTime.isLessThan(at, answersSince(uncertain)))
    if (isPast || Option.isNone(page.next)) break
    cursor = page.next
  }
  return ownAnswers(activities, uncertain)
})

const findMessage = Effect.fnUntraced(function* (
  graph: GraphApi,
  access: AccountAccess,
  uncertain: UncertainReply
): Effect.fn.Return<ReplyLook, ReadFailed> {
  const pages = yield* readConversationWith(graph, access, uncertain.reply.target.threadKey)
  return ownAnswers(
    pages.flatMap(({ activities }) => activities),
    uncertain
  )
})

export const sendReply = (graph: GraphApi, access: AccountAccess, reply: Reply) =>
  reply.source === "fb_dm" ? sendMessage(graph, access, reply) : sendComment(graph, access, reply)

export const findReply = (graph: GraphApi, access: AccountAccess, uncertain: UncertainReply) =>
  uncertain.reply.source === "fb_dm" ? findMessage(graph, access, uncertain) : findComment(graph, access, uncertain)
