import type { Feed } from "@loopbox/core/networks/Feed"
import type { Person } from "@loopbox/core/networks/InboundActivity"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { SocialConnector } from "@loopbox/core/networks/SocialConnector"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { makeGraphApi } from "../meta/graphApi.ts"
import { isThereOrGone } from "../meta/isThereOrGone.ts"
import type { NetworkCalls } from "../calls/NetworkCalls.ts"
import { Id, OptionalCount, OptionalLink, OptionalName, OptionalTime, reader } from "../payloads/payload.ts"
import { personOrNone } from "../payloads/personOrNone.ts"
import { readEach } from "../meta/readEach.ts"
import { readNewest } from "../meta/readNewest.ts"
import { refreshGraphToken } from "../meta/refreshGraphToken.ts"
import type { SocialSettings } from "../calls/SocialSettings.ts"
import { instagramConnect } from "./instagramConnect.ts"
import { instagramPageConnect } from "./instagramPageConnect.ts"
import { instagramPublish } from "./publishing/instagramPublish.ts"
import { instagramKinds } from "./instagramKinds.ts"
import { mediaFields, readMediaContext } from "./instagramMedia.ts"
import { instagramModerate } from "./instagramModerate.ts"
import { instagramMeasure, makeInstagramReplies } from "./instagramReplies.ts"
import { readOwnNames } from "./ownNames.ts"
import { readCommentPage } from "./readComments.ts"
import { makeInstagramMessages } from "./readMessages.ts"

const readUser = reader(Schema.Struct({ name: OptionalName, username: OptionalName, profile_pic: OptionalLink }))
const readId = reader(Schema.Struct({ id: Id }))
const readMedia = reader(Schema.Struct({ id: Id, timestamp: OptionalTime, comments_count: OptionalCount }))

const mostPosts = 25

/**
 * Instagram. Accounts that Facebook's login connected are reached at Facebook's host (`ofPages`), in the name of their
 * Page; both kinds live side by side. People are shown who have written to the account; a comment's thread is in its
 * webhook.
 */
export const makeInstagramConnector = (
  calls: NetworkCalls,
  ofPages: NetworkCalls,
  settings: SocialSettings
): SocialConnector => {
  const graph = makeGraphApi("instagram", calls, settings, ofPages)
  const kindsOf = (access: AccountAccess) => instagramKinds(graph, access)
  const messages = makeInstagramMessages(graph)
  const replies = makeInstagramReplies(graph, messages)
  const byInstagram = instagramConnect(graph, calls, settings)
  const throughPages = instagramPageConnect(graph, ofPages, settings)

  /** Posts say nothing of when their comments changed: those that were written since. */
  const listPosts = Effect.fnUntraced(function* (access: AccountAccess, since: DateTime.Utc) {
    const call = {
      access,
      ...kindsOf(access).media,
      path: [access.networkAccountId, "media"],
      query: { fields: "id,timestamp,comments_count" }
    }
    const posts = yield* readEach("a post", yield* readNewest(graph, call, mostPosts), readMedia)
    return posts
      .filter(({ timestamp }) => !Option.exists(timestamp, (at) => DateTime.isLessThan(at, since)))
      .map(({ comments_count, id }): Feed => ({
        step: "comments",
        source: "ig_comment",
        id,
        items: Option.some({ by: "linkedPostId", value: id }),
        updatedAt: Option.none(),
        size: comments_count,
        firstPage: Option.none()
      }))
  })

  return {
    network: "instagram",
    connect: settings.instagramLogin === "facebook" ? [throughPages, byInstagram] : [byInstagram, throughPages],
    publish: instagramPublish(graph),
    identify: Effect.fn("InstagramConnector.identify")((access) => readOwnNames(graph, access)),
    moderate: instagramModerate(graph),
    pollSteps: ["comments", "messages"],
    listFeeds: Effect.fn("InstagramConnector.listFeeds")((access, step, since) => {
      if (step === "comments") return listPosts(access, since)
      return step === "messages" ? messages.list(access, since) : Effect.succeed([])
    }),
    readFeed: Effect.fn("InstagramConnector.readFeed")((access, feed, request) =>
      feed.step === "messages"
        ? messages.read(access, feed, request)
        : readCommentPage(graph, { access, ...kindsOf(access).comments }, feed, request)
    ),
    isThere: Effect.fn("InstagramConnector.isThere")((access, source, id) => {
      const kind = source === "ig_dm" ? kindsOf(access).messages : kindsOf(access).comments
      return isThereOrGone(graph.readObject({ access, ...kind, id, fields: "id" }, readId))
    }),
    findMediaContext: Effect.fn("InstagramConnector.findMediaContext")((access, _source, id) =>
      graph.readObject({ access, ...kindsOf(access).media, id, fields: mediaFields }, readMediaContext(id))
    ),
    findPerson: Effect.fn("InstagramConnector.findPerson")((access, _source, id) => {
      const read = (value: unknown): Result.Result<Person, string> =>
        Result.map(readUser(value), ({ name, profile_pic, username }) => ({
          id: Option.some(id),
          name,
          username,
          avatarUrl: profile_pic
        }))
      return personOrNone(
        graph.readObject({ access, ...kindsOf(access).messages, id, fields: "name,username,profile_pic" }, read)
      )
    }),
    findThreadKey: (_access, { parentExternalId }) => Effect.succeed(parentExternalId),
    measure: instagramMeasure,
    prepareReply: () => Effect.succeedNone,
    sendReply: Effect.fn("InstagramConnector.sendReply")((access, reply) => replies.send(access, reply)),
    findReply: Effect.fn("InstagramConnector.findReply")((access, uncertain) => replies.find(access, uncertain)),
    refreshToken: Effect.fn("InstagramConnector.refreshToken")((access) =>
      // A Page's token, by which Instagram is read at Facebook, is renewed by nobody but its owner.
      graph.isAtFacebook(access)
        ? Effect.succeedNone
        : Effect.asSome(refreshGraphToken("instagram", calls, settings, access))
    )
  }
}
