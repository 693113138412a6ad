import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { Feed, FeedPage, FeedRequest } from "@loopbox/core/networks/Feed"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { conversationFeeds, counterpartOf, messagesOfPage } from "../meta/conversations.ts"
import type { GraphApi } from "../meta/graphApi.ts"
import { pageQuery } from "../meta/pageQuery.ts"
import { messagePage } from "../meta/polledMessages.ts"
import { readNewest } from "../meta/readNewest.ts"
import { facebookKinds } from "./facebookKinds.ts"

const mostConversations = 25
const messageFields = "id,message,from,to,created_time,attachments,sticker,shares"

const listWith = Effect.fnUntraced(function* (
  graph: GraphApi,
  access: AccountAccess,
  since: DateTime.Utc,
  person: Readonly<Record<string, string>>
) {
  const requestedAt = yield* DateTime.now
  const query = {
    platform: "messenger",
    ...person,
    fields: `id,updated_time,participants,messages.limit(${messagesOfPage}){${messageFields}}`
  }
  const path = [access.networkAccountId, "conversations"]
  const elements = yield* readNewest(graph, { access, ...facebookKinds.conversations, path, query }, mostConversations)
  return yield* conversationFeeds("fb_dm", access, elements, since, requestedAt)
})

/** The newest conversations that changed since, each with its newest messages. */
export const listConversations = (
  graph: GraphApi,
  access: AccountAccess,
  since: DateTime.Utc
): Effect.Effect<ReadonlyArray<Feed>, ReadFailed> => listWith(graph, access, since, {})

/** A page of a conversation; the newest one usually came along with the list. */
export const readConversation = Effect.fnUntraced(function* (
  graph: GraphApi,
  access: AccountAccess,
  feed: Feed,
  request: FeedRequest
): Effect.fn.Return<FeedPage, ReadFailed> {
  const requestedAt = yield* DateTime.now
  const query = { fields: messageFields, ...pageQuery(messagesOfPage, request) }
  const page = yield* graph.readPage({ access, ...facebookKinds.conversations, path: [feed.id, "messages"], query })
  return messagePage("fb_dm", access, counterpartOf(feed), page, requestedAt)
})

/** The newest messages with one person. */
export const readConversationWith = Effect.fnUntraced(function* (
  graph: GraphApi,
  access: AccountAccess,
  personId: string
) {
  const feeds = yield* listWith(graph, access, DateTime.makeUnsafe(0), { user_id: personId })
  return (
    feeds
      // If the network ignores `user_id`, the list has other conversations too.
      .filter((feed) => Option.contains(counterpartOf(feed), personId))
      .flatMap(({ firstPage }) => Option.toArray(firstPage))
  )
})
