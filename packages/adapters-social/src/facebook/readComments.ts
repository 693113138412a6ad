import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { Feed, FeedPage, FeedRequest } from "@loopbox/core/networks/Feed"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { GraphApi } from "../meta/graphApi.ts"
import { nextUnless } from "../meta/graphPage.ts"
import { earliest, PageCollector } from "../payloads/PageCollector.ts"
import { pageQuery } from "../meta/pageQuery.ts"
import { Id, OptionalCount, optionalPart, OptionalTime, reader } from "../payloads/payload.ts"
import { readNewest } from "../meta/readNewest.ts"
import { readEach } from "../meta/readEach.ts"
import { facebookKinds } from "./facebookKinds.ts"
import { commentFields, readPolledComment, withThreads } from "./polledComments.ts"
import type { CommentPlace } from "./polledComments.ts"

/** Facebook gives no more comments at once. */
const mostComments = 100
const mostPosts = 25

const Summary = Schema.Struct({ total_count: OptionalCount })
const readPost = reader(
  Schema.Struct({
    id: Id,
    created_time: OptionalTime,
    comments: optionalPart(Schema.Struct({ summary: optionalPart(Summary) }))
  })
)

/** The newest posts as feeds. They say nothing of when their comments changed: those that were written since. */
export const listPosts = Effect.fnUntraced(function* (
  graph: GraphApi,
  access: AccountAccess,
  since: DateTime.Utc
): Effect.fn.Return<ReadonlyArray<Feed>, ReadFailed> {
  const call = {
    access,
    ...facebookKinds.posts,
    path: [access.networkAccountId, "published_posts"],
    query: { fields: "id,created_time,comments.filter(stream).summary(true).limit(0)" }
  }
  const posts = yield* readEach("a post", yield* readNewest(graph, call, mostPosts), readPost)
  return posts
    .filter(({ created_time }) => !Option.exists(created_time, (at) => DateTime.isLessThan(at, since)))
    .map(({ comments, id }) => ({
      step: "comments",
      source: "fb_comment",
      id,
      items: Option.some({ by: "linkedPostId", value: id }),
      updatedAt: Option.none(),
      size: Option.flatMap(
        Option.flatMap(comments, ({ summary }) => summary),
        ({ total_count }) => total_count
      ),
      firstPage: Option.none()
    }))
})

/** One page of what stands below a post, or below the comment at the top of a thread, at all depths, newest first. */
export const readCommentPage = Effect.fnUntraced(function* (
  graph: GraphApi,
  access: AccountAccess,
  below: Pick<CommentPlace, "postId" | "rootId"> & Pick<Feed, "id" | "size">,
  request: Pick<FeedRequest, "cursor" | "limit">
): Effect.fn.Return<FeedPage, ReadFailed> {
  const requestedAt = yield* DateTime.now
  const page = yield* graph.readPage({
    access,
    ...facebookKinds.comments,
    path: [below.id, "comments"],
    query: {
      filter: "stream",
      order: "reverse_chronological",
      fields: commentFields,
      ...pageQuery(mostComments, request)
    }
  })
  const collector = new PageCollector(requestedAt)
  const comments = page.elements.map(readPolledComment({ ...below, accountId: access.networkAccountId, requestedAt }))
  const good = withThreads(Arr.getSuccesses(comments))
  comments.forEach((comment, i) => {
    if (Result.isFailure(comment)) collector.add(`data[${i}]`, comment)
  })
  for (const comment of good) collector.add("", Result.succeed(comment))
  // The count is of all levels, as the list is.
  const isWhole = Option.isNone(request.cursor) && Option.exists(below.size, (size) => good.length >= size)
  const next = nextUnless(isWhole, page)
  return collector.finish(next, page.isLinked ? earliest(good.map(({ posted }) => posted.receivedAt)) : Option.none())
})
