import type { UncertainReply } from "@loopbox/core/networks/Reply"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { NetworkWrites } from "@loopbox/core/networks/SocialConnector"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { asArray, Id, optionalParts, reader } from "../payloads/payload.ts"
import { ownReply } from "../payloads/ownReply.ts"
import { readIncludes, readPost } from "./readPost.ts"
import { dataOf, postReader } from "./vocabulary.ts"
import { maxWeight } from "./weightedLength.ts"
import { requireId } from "./XApi.ts"
import type { XApi } from "./XApi.ts"
import { permalinkOf, postReading } from "./XPost.ts"
import type { XPost } from "./XPost.ts"

const readCreated = postReader(reader(Schema.Struct({ id: Id, edit_history_post_ids: optionalParts(Id) })))

/** How far the clocks of X and of this machine may differ. */
const clockTolerance = "60 seconds"

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
    const created = yield* api.write(access, { path: "/tweets", endpoint: "POST tweets", body: { json } }, (body) =>
      readCreated(dataOf(body))
    )
    const first = created.edit_history_post_ids[0] ?? created.id
    const author = selfOf(access)
    return ownReply("x", access, reply, {
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
        query: ({ own }) => ({ ...own, since_id: replyTargetId, max_results: "100" })
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
          query: ({ own }) => ({ ...own, query, max_results: "100" })
        },
        read
      )
      // The timeline has answered; the search only sees further.
      .pipe(Effect.orElseSucceed(() => []))
    return { _tag: "Candidates", posted: found }
  })
})
