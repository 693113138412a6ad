import type { Feed, FeedPage, FeedRequest } from "@loopbox/core/networks/Feed"
import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { GraphApi, GraphCall } from "../meta/graphApi.ts"
import { graphPageIn, nextUnless } from "../meta/graphPage.ts"
import type { GraphPage } from "../meta/graphPage.ts"
import { earliest, PageCollector } from "../payloads/PageCollector.ts"
import { pageQuery } from "../meta/pageQuery.ts"
import { commentFields, readPolledComment, replyFields } from "./polledComments.ts"
import type { CommentPlace, PolledComment } from "./polledComments.ts"

/** Instagram gives no more comments at once. */
const mostComments = 50
/** Pages of replies to one comment that are read: a thousand. */
const mostReplyPages = 20

type Shared = Pick<GraphCall, "endpoint" | "scopes"> & { readonly access: AccountAccess }

/** A page of the replies to a comment; their order is not documented. */
const readReplyPage = (graph: GraphApi, shared: Shared, rootId: string, cursor: Option.Option<string>) =>
  graph.readPage({
    ...shared,
    path: [rootId, "replies"],
    query: { fields: replyFields, ...pageQuery(mostComments, { cursor, limit: Option.none() }) }
  })

/** All replies to a comment, in pages, from a cursor on. */
const readReplies = Effect.fnUntraced(function* (
  graph: GraphApi,
  shared: Shared,
  rootId: string,
  from: Option.Option<string>
): Effect.fn.Return<ReadonlyArray<unknown>, ReadFailed> {
  const page = yield* readReplyPage(graph, shared, rootId, from)
  const elements = [...page.elements]
  let { next } = page
  for (let pages = 1; pages < mostReplyPages && Option.isSome(next); pages++) {
    const more = yield* readReplyPage(graph, shared, rootId, next)
    elements.push(...more.elements)
    next = more.next
  }
  return elements
})

/** All replies to a comment, as their webhooks make them. */
export const readCommentReplies = Effect.fnUntraced(function* (
  graph: GraphApi,
  shared: Shared,
  rootId: string,
  place: Omit<CommentPlace, "access" | "rootId">
) {
  const elements = yield* readReplies(graph, shared, rootId, Option.none())
  return elements.map(readPolledComment({ ...place, access: shared.access, rootId: Option.some(rootId) }))
})

/** What stands below a comment: the replies that came along, and the pages behind them. */
const repliesOf = Effect.fnUntraced(function* (
  graph: GraphApi,
  shared: Shared,
  { id, replies }: PolledComment,
  isWhole: boolean
): Effect.fn.Return<ReadonlyArray<unknown>, ReadFailed> {
  const page = graphPageIn(replies)
  const { elements } = page
  const next = nextUnless(isWhole, page)
  return Option.isNone(next) ? elements : [...elements, ...(yield* readReplies(graph, shared, id, next))]
})

/** Instagram counts the comments on a post with their replies. */
const countWithReplies = ({ elements }: GraphPage): number =>
  elements.reduce<number>(
    (sum, comment) => sum + 1 + (Predicate.isObject(comment) ? graphPageIn(comment["replies"]).elements.length : 0),
    0
  )

/** One page of the comments on a post, each with all of its replies. */
export const readCommentPage = Effect.fnUntraced(function* (
  graph: GraphApi,
  shared: Shared,
  feed: Feed,
  request: FeedRequest
): Effect.fn.Return<FeedPage, ReadFailed> {
  const requestedAt = yield* DateTime.now
  const page = yield* graph.readPage({
    ...shared,
    path: [feed.id, "comments"],
    query: { fields: commentFields, ...pageQuery(mostComments, request) }
  })
  const place: CommentPlace = {
    access: shared.access,
    mediaId: Option.some(feed.id),
    rootId: Option.none(),
    requestedAt
  }
  const isWhole = Option.isNone(request.cursor) && Option.exists(feed.size, (size) => countWithReplies(page) >= size)
  const collector = new PageCollector(requestedAt)
  const moments: Array<DateTime.Utc> = []
  for (const [i, element] of page.elements.entries()) {
    const comment = readPolledComment(place)(element)
    collector.add(`data[${i}]`, comment)
    if (Result.isFailure(comment)) continue
    moments.push(comment.success.at)
    const replies = yield* repliesOf(graph, shared, comment.success, isWhole)
    replies
      .map(readPolledComment({ ...place, rootId: Option.some(comment.success.id) }))
      .forEach((reply, j) => collector.add(`data[${i}].replies.data[${j}]`, reply))
  }
  const next = nextUnless(isWhole, page)
  return collector.finish(next, page.isLinked ? earliest(moments) : Option.none())
})
