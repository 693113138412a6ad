import type { Rejected } from "@loopbox/core/networks/ConnectorErrors"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { NetworkReads } from "@loopbox/core/networks/SocialConnector"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { GraphApi } from "../meta/graphApi.ts"
import { Id, reader } from "../payloads/payload.ts"
import { readNewest } from "../meta/readNewest.ts"
import { conversationPage, replyFields, threadFeed } from "./conversationPage.ts"
import { contextFields, threadContext } from "./threadContext.ts"

const readId = reader(Schema.Struct({ id: Id }))

/** Posts that a poll looks at (social-networks.md §8). */
const newestPosts = 25

/** Replies of a page: the most that Threads gives. */
const largestPage = 100

const ofReplies = { endpoint: "content", scopes: ["threads_basic", "threads_read_replies"] } as const

/** What Threads tells. It names people by user name in each reply, and has no call that tells more of them. */
export const threadsReads = (graph: GraphApi): NetworkReads => {
  const inReplies = (access: AccountAccess) => ({ access, ...ofReplies })
  return {
    pollSteps: ["replies"],
    listFeeds: Effect.fn("ThreadsConnector.listFeeds")((access, _step, since) => {
      const query = { fields: "id,timestamp", since: String(Math.floor(DateTime.toEpochMillis(since) / 1000)) }
      return Effect.map(
        readNewest(graph, { ...inReplies(access), path: ["me", "threads"], query }, newestPosts),
        (threads) => threads.flatMap((thread) => Option.toArray(threadFeed(thread, since)))
      )
    }),
    readFeed: Effect.fn("ThreadsConnector.readFeed")(function* (access, feed, { cursor, limit }) {
      const requestedAt = yield* DateTime.now
      const asked = Option.getOrElse(limit, () => largestPage)
      const query = {
        fields: replyFields,
        reverse: "true",
        limit: String(asked),
        ...(Option.isSome(cursor) ? { after: cursor.value } : {})
      }
      const page = yield* graph.readPage({ ...inReplies(access), path: [feed.id, "conversation"], query })
      return conversationPage(page, feed, access, requestedAt)
    }),
    isThere: Effect.fn("ThreadsConnector.isThere")((access, _source, externalId) =>
      graph.readObject({ ...inReplies(access), id: externalId, fields: "id" }, readId).pipe(
        Effect.as(true),
        Effect.catchTag("Rejected", (error) => (isGone(error) ? Effect.succeed(false) : Effect.fail(error)))
      )
    ),
    findMediaContext: Effect.fn("ThreadsConnector.findMediaContext")((access, _source, postId) =>
      graph.readObject({ ...inReplies(access), id: postId, fields: contextFields }, threadContext)
    ),
    findPerson: () => Effect.succeedNone,
    findThreadKey: (_access, { parentExternalId }) => Effect.succeed(parentExternalId)
  }
}

const isGone = ({ reason }: Rejected): boolean => reason === "gone"
