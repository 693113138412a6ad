import type { FeedPage, FeedRequest } from "@loopbox/core/networks/Feed"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Collector, unreadable } from "../payloads/Collector.ts"
import { asArray, Id, OptionalCount, OptionalId, optionalPart, optionalParts, reader } from "../payloads/payload.ts"
import { fromIso } from "../payloads/times.ts"
import { readIncludes, readPost } from "./readPost.ts"
import { isOfPost, postReader } from "./vocabulary.ts"
import { postReading } from "./XPost.ts"
import type { XQueries } from "./xQueries.ts"

/** The past of an account whose mentions were empty begins at a moment instead of an id. */
const momentMark = "@"

const smallestPage = 5
const largestPage = 100

const sinceOf = (checkpoint: string): Readonly<Record<string, string>> =>
  checkpoint.startsWith(momentMark) ? { start_time: checkpoint.slice(1) } : { since_id: checkpoint }

/** Where the page's past ends: X takes one beginning, and what an earlier run knows is the better one. */
const beginOf = ({ checkpoint, since }: FeedRequest): Readonly<Record<string, string>> => {
  if (Option.isSome(checkpoint)) return sinceOf(checkpoint.value)
  return Option.isSome(since) ? { start_time: DateTime.formatIso(since.value) } : {}
}

/** The query of one page of mentions (social-networks.md §2.1). */
export const mentionsQuery = (items: XQueries["items"], request: FeedRequest): Readonly<Record<string, string>> => ({
  ...items,
  ...beginOf(request),
  max_results: String(
    Math.min(
      Math.max(
        Option.getOrElse(request.limit, () => largestPage),
        smallestPage
      ),
      largestPage
    )
  ),
  ...(Option.isSome(request.cursor) ? { pagination_token: request.cursor.value } : {})
})

const Meta = Schema.Struct({ newest_id: OptionalId, next_token: OptionalId, result_count: OptionalCount })
const readBody = reader(Schema.Struct({ meta: optionalPart(Meta) }))
const readIds = postReader(
  reader(Schema.Struct({ id: Id, edit_history_post_ids: optionalParts(Id), created_at: OptionalId }))
)

/** One page of mentions as activities; the same reading that webhooks get. */
export const mentionsPage = (
  body: unknown,
  access: AccountAccess,
  request: FeedRequest,
  requestedAt: DateTime.Utc
): Result.Result<FeedPage, string> =>
  Result.map(readBody(body), ({ meta }) => {
    const content = Predicate.isObject(body) ? body : {}
    const posts = asArray(content["data"])
    const includes = readIncludes(content["includes"])
    const collector = new Collector()
    const seen: Array<string> = []
    let oldest: Option.Option<DateTime.Utc> = Option.none()
    posts.forEach((value, i) => {
      const ids = readIds(value)
      if (Result.isSuccess(ids)) {
        seen.push(ids.success.edit_history_post_ids[0] ?? ids.success.id)
        oldest = Option.orElse(Option.flatMap(ids.success.created_at, fromIso), () => oldest)
      }
      const post = readPost(value, includes)
      collector.add(
        `data[${i}]`,
        Result.isFailure(post)
          ? unreadable(post.failure)
          : postReading(post.success, {
              accountId: access.networkAccountId,
              username: access.username,
              isKnownSummons: false,
              arrivedAt: requestedAt
            })
      )
    })
    const { activities, ignored, unreadable: bad } = collector.finish()
    const next = Option.flatMap(meta, ({ next_token }) => next_token)
    const page: FeedPage = {
      activities,
      seen,
      coversFrom: Option.isSome(next) ? oldest : Option.none(),
      next,
      checkpoint: checkpointOf(
        request,
        Option.flatMap(meta, ({ newest_id }) => newest_id),
        requestedAt
      ),
      read: posts.length,
      suppressed: Array.from(ignored.values()).reduce((sum, count) => sum + count, 0) + goneIn(content["errors"]),
      unreadable: bad,
      requestedAt
    }
    return page
  })

/** Posts that X counts and no longer shows, beside those that it does. */
const goneIn = (errors: unknown): number => asArray(errors).filter(isOfPost).length

/** The newest id of the newest page; where there is nothing yet, the moment of asking. */
const checkpointOf = (
  { checkpoint, cursor }: FeedRequest,
  newestId: Option.Option<string>,
  requestedAt: DateTime.Utc
): Option.Option<string> => {
  if (Option.isSome(cursor)) return Option.none()
  if (Option.isSome(newestId) || Option.isSome(checkpoint)) return newestId
  return Option.some(`${momentMark}${DateTime.formatIso(requestedAt)}`)
}
