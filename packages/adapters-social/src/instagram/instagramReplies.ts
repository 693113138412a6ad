import type { ReadFailed, WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import { unknownPerson } from "@loopbox/core/networks/InboundActivity"
import type { Feed, FeedRequest } from "@loopbox/core/networks/Feed"
import type { Reply, ReplyLook, SentReply, TextMeasure, UncertainReply } from "@loopbox/core/networks/Reply"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { GraphApi } from "../meta/graphApi.ts"
import { humanAgent } from "../meta/humanAgent.ts"
import { inBytes, inCharacters } from "../meta/measureText.ts"
import { messagePosted, ownSpeech } from "../meta/messaging.ts"
import { messageContent, sentAttachments } from "../meta/replyAttachment.ts"
import { ownAnswers } from "../meta/ownAnswers.ts"
import { Id, reader } from "../payloads/payload.ts"
import { commentPosted } from "./instagramComment.ts"
import { instagramKinds, messenger } from "./instagramKinds.ts"
import type { InstagramMessages } from "./readMessages.ts"
import { readCommentPage, readCommentReplies } from "./readComments.ts"

/** Limits of api.md §3: 2,200 characters of a comment, 1,000 bytes of a message. */
export const instagramMeasure = (source: string, text: string): TextMeasure =>
  source === "ig_dm" ? inBytes(text, 1_000) : inCharacters(text, 2_200)

const readCreated = reader(Schema.Struct({ id: Id }))
const readSent = reader(Schema.Struct({ message_id: Id }))

/** Whether the post itself is answered, not a comment on it. */
const isOfPost = ({ linkedPostId, threadKey }: Reply["target"]): boolean => Option.contains(linkedPostId, threadKey)

/** The comments on a post, newest first. */
const feedOf = (id: string): Feed => ({
  step: "comments",
  source: "ig_comment",
  id,
  items: Option.none(),
  updatedAt: Option.none(),
  size: Option.none(),
  firstPage: Option.none()
})

const newest: FeedRequest = {
  cursor: Option.none(),
  checkpoint: Option.none(),
  since: Option.none(),
  limit: Option.none()
}

export const makeInstagramReplies = (graph: GraphApi, messages: InstagramMessages) => {
  /**
   * Instagram has two levels, so the comment at the top is answered, whichever was meant. What answers the post itself
   * is a comment of its own.
   */
  const sendComment = Effect.fnUntraced(function* (
    access: AccountAccess,
    { target, text }: Reply
  ): Effect.fn.Return<SentReply, WriteFailed> {
    const edge = isOfPost(target) ? "comments" : "replies"
    const call = { access, ...instagramKinds(graph, access).comments, path: [target.threadKey, edge] }
    const { id } = yield* graph.write(call, { form: { message: text } }, readCreated)
    return {
      posted: commentPosted({
        accountId: access.networkAccountId,
        id,
        parentId: isOfPost(target) ? Option.none() : Option.some(target.threadKey),
        mediaId: target.linkedPostId,
        author: { ...unknownPerson, username: access.username },
        isOwn: true,
        text: Option.some(text),
        at: yield* DateTime.now
      })
    }
  })

  const sendMessage = Effect.fnUntraced(function* (
    access: AccountAccess,
    reply: Reply
  ): Effect.fn.Return<SentReply, WriteFailed> {
    const { media, tag, target, text } = reply
    const call = { access, ...instagramKinds(graph, access).messages, path: [messenger(graph, access), "messages"] }
    const tagged = tag === undefined ? {} : { messaging_type: "MESSAGE_TAG", tag: humanAgent }
    const json = { recipient: { id: target.threadKey }, ...tagged, message: messageContent(reply) }
    const { message_id } = yield* graph.write(call, { json }, readSent)
    const speech = ownSpeech("ig_dm", access.networkAccountId, target.threadKey, yield* DateTime.now)
    return {
      posted: messagePosted(speech, message_id, text, {
        author: { username: access.username },
        attachments: sentAttachments(media)
      })
    }
  })

  const findComment = Effect.fnUntraced(function* (access: AccountAccess, uncertain: UncertainReply) {
    const { target } = uncertain.reply
    const shared = { access, ...instagramKinds(graph, access).comments }
    if (isOfPost(target)) {
      const { activities } = yield* readCommentPage(graph, shared, feedOf(target.threadKey), newest)
      return ownAnswers(activities, uncertain)
    }
    const place = { mediaId: target.linkedPostId, requestedAt: yield* DateTime.now }
    const replies = yield* readCommentReplies(graph, shared, target.threadKey, place)
    return ownAnswers(
      replies.flatMap((reply) => (Result.isSuccess(reply) ? reply.success.activities : [])),
      uncertain
    )
  })

  const findMessage = Effect.fnUntraced(function* (access: AccountAccess, uncertain: UncertainReply) {
    const pages = yield* messages.readWith(access, uncertain.reply.target.threadKey)
    return ownAnswers(
      pages.flatMap(({ activities }) => activities),
      uncertain
    )
  })

  return {
    send: (access: AccountAccess, reply: Reply): Effect.Effect<SentReply, WriteFailed> =>
      reply.source === "ig_dm" ? sendMessage(access, reply) : sendComment(access, reply),
    find: (access: AccountAccess, uncertain: UncertainReply): Effect.Effect<ReplyLook, ReadFailed> =>
      uncertain.reply.source === "ig_dm" ? findMessage(access, uncertain) : findComment(access, uncertain)
  }
}
