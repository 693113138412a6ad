import type { UncertainReply } from "@loopbox/core/connectors/Reply"
import type { AccountAccess, NetworkWrites } from "@loopbox/core/connectors/SocialConnector"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { asArray, Id, optionalParts, reader } from "../internal/payload.ts"
import { ownReply } from "../internal/ownReply.ts"
import { readIncludes, readPost } from "./readPost.ts"
import { maxWeight } from "./weightedLength.ts"
import { requireId } from "./XApi.ts"
import type { XApi } from "./XApi.ts"
import { permalinkOf, postReading } from "./XPost.ts"
import type { XPost } from "./XPost.ts"

const readCreated = reader(
  Schema.Struct({ data: Schema.Struct({ id: Id, edit_history_tweet_ids: optionalParts(Id) }) })
)

/** How far the clocks of X and of this machine may differ. */
const clockTolerance = "60 seconds"

const lookFields = "referenced_tweets,created_at,conversation_id,entities,edit_history_tweet_ids,note_tweet"

const selfOf = ({ networkAccountId, username }: AccountAccess) => ({
  id: Option.some(networkAccountId),
  name: Option.none<string>(),
  username,
  avatarUrl: Option.none<string>()
})

/** The account's own answers to the target since shortly before the attempt, oldest first. */
const candidatesIn = (body: unknown, access: AccountAccess, { attemptedAt, reply }: UncertainReply) => {
  const content = Predicate.isObject(body) ? body : {}
  const includes = readIncludes(content["includes"])
  const earliest = DateTime.subtractDuration(attemptedAt, clockTolerance)
  const answersTarget = ({ createdAt, repliedToId }: XPost) =>
    Option.exists(repliedToId, (id) => id === reply.target.replyTargetId || id === reply.target.externalId) &&
    Option.exists(createdAt, (at) => DateTime.isGreaterThanOrEqualTo(at, earliest))
  const readings = asArray(content["data"]).flatMap((value) => {
    const post = readPost(value, includes)
    if (Result.isFailure(post) || !answersTarget(post.success)) return []
    // What an account's own timeline shows is its own.
    const own = { ...post.success, author: selfOf(access) }
    const to = {
      accountId: access.networkAccountId,
      username: access.username,
      isKnownSummons: false,
      arrivedAt: attemptedAt
    }
    const reading = postReading(own, to)
    return reading._tag === "Heard" ? reading.activities : []
  })
  return readings.filter((one) => one._tag === "Posted").toReversed()
}

/** What X is told. No post is sent twice, for X knows no idempotency key. */
export const xWrites = (api: XApi, weightedLength: (text: string) => number): Omit<NetworkWrites, "refreshToken"> => ({
  measure: (_source, text) => ({ length: weightedLength(text), limit: maxWeight }),
  prepareReply: () => Effect.succeedNone,
  sendReply: Effect.fn("XConnector.sendReply")(function* (access, reply) {
    yield* requireId(reply.target.replyTargetId)
    const { text } = reply
    const json = { text, reply: { in_reply_to_tweet_id: reply.target.replyTargetId } }
    const created = yield* api.write(access, { path: "/tweets", endpoint: "POST tweets", json }, readCreated)
    const { edit_history_tweet_ids, id } = created.data
    const first = edit_history_tweet_ids[0] ?? id
    const author = selfOf(access)
    return ownReply(access, reply, {
      id: first,
      at: yield* DateTime.now,
      author,
      permalink: Option.some(permalinkOf({ id: first, author })),
      summons: Option.some("unknown")
    })
  }),
  findReply: Effect.fn("XConnector.findReply")(function* (access, uncertain) {
    const { replyTargetId } = uncertain.reply.target
    const read = (body: unknown) => Result.succeed(candidatesIn(body, access, uncertain))
    const own = yield* api.read(
      access,
      {
        path: `/users/${access.networkAccountId}/tweets`,
        endpoint: "users/:id/tweets",
        query: { since_id: replyTargetId, max_results: "100", "tweet.fields": lookFields }
      },
      read
    )
    if (own.length > 0 || Option.isNone(access.username)) return { _tag: "Candidates", posted: own }
    const query = `from:${access.username.value} in_reply_to_tweet_id:${replyTargetId}`
    const found = yield* api
      .read(
        access,
        {
          path: "/tweets/search/recent",
          endpoint: "tweets/search/recent",
          query: { query, max_results: "100", "tweet.fields": lookFields }
        },
        read
      )
      // The timeline has answered; the search only sees further.
      .pipe(Effect.orElseSucceed(() => []))
    return { _tag: "Candidates", posted: found }
  })
})
