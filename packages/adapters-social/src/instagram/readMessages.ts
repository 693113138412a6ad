import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { Feed, FeedPage, FeedRequest } from "@loopbox/core/networks/Feed"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { conversationFeeds, counterpartOf } from "../meta/conversations.ts"
import type { GraphApi } from "../meta/graphApi.ts"
import { graphPageIn } from "../meta/graphPage.ts"
import { pageQuery } from "../meta/pageQuery.ts"
import { Id, reader } from "../payloads/payload.ts"
import { messagePage } from "../meta/polledMessages.ts"
import { readNewest } from "../meta/readNewest.ts"
import { instagramKinds, messenger } from "./instagramKinds.ts"

/** Reads an account's direct messages. */
export interface InstagramMessages {
  /** The newest conversations that changed since; their messages are read one by one. */
  readonly list: (access: AccountAccess, since: DateTime.Utc) => Effect.Effect<ReadonlyArray<Feed>, ReadFailed>
  /** The newest messages of a conversation. Only the newest 20 have more than an id, so there is hardly a next page. */
  readonly read: (access: AccountAccess, feed: Feed, request: FeedRequest) => Effect.Effect<FeedPage, ReadFailed>
  /** The newest messages with one person. */
  readonly readWith: (access: AccountAccess, personId: string) => Effect.Effect<ReadonlyArray<FeedPage>, ReadFailed>
}

const mostConversations = 25
/** So many messages of a conversation have details. */
const detailedMessages = 20

/** Stickers are among the attachments; only Messenger's messages have them as a member, and to ask for one fails all. */
const messageFields = "id,created_time,from,to,message,attachments,reply_to,is_unsupported,story,shares"

const readMessages = reader(Schema.Struct({ id: Id, messages: Schema.optionalKey(Schema.Unknown) }))

const newest: FeedRequest = {
  cursor: Option.none(),
  checkpoint: Option.none(),
  since: Option.none(),
  limit: Option.none()
}

export const makeInstagramMessages = (graph: GraphApi): InstagramMessages => {
  const listWith = Effect.fnUntraced(function* (
    access: AccountAccess,
    since: DateTime.Utc,
    person: Readonly<Record<string, string>>
  ) {
    const requestedAt = yield* DateTime.now
    const query = {
      platform: "instagram",
      ...person,
      fields: "id,updated_time,participants{id,username}"
    }
    const call = {
      access,
      ...instagramKinds(graph, access).conversations,
      path: [messenger(graph, access), "conversations"],
      query
    }
    const elements = yield* readNewest(graph, call, mostConversations)
    return yield* conversationFeeds("ig_dm", access, elements, since, requestedAt)
  })

  const read = Effect.fnUntraced(function* (access: AccountAccess, feed: Feed, request: FeedRequest) {
    const requestedAt = yield* DateTime.now
    const call = { access, ...instagramKinds(graph, access).conversations }
    const page = yield* Option.isNone(request.cursor)
      ? graph.read({ ...call, path: [feed.id], query: { fields: `messages{${messageFields}}` } }, (value) =>
          Result.map(readMessages(value), ({ messages }) => graphPageIn(messages))
        )
      : graph.readPage({
          ...call,
          path: [feed.id, "messages"],
          query: { fields: messageFields, ...pageQuery(detailedMessages, request) }
        })
    return messagePage("ig_dm", access, counterpartOf(feed), page, requestedAt)
  })

  return {
    list: (access, since) => listWith(access, since, {}),
    read,
    readWith: Effect.fnUntraced(function* (access: AccountAccess, personId: string) {
      const feeds = yield* listWith(access, DateTime.makeUnsafe(0), { user_id: personId })
      // Where the filter is not heeded, others come along.
      const theirs = feeds.filter((feed) => Option.contains(counterpartOf(feed), personId))
      return yield* Effect.forEach(theirs, (feed) => read(access, feed, newest))
    })
  }
}
