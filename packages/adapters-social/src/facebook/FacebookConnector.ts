import type { Person } from "@loopbox/core/networks/InboundActivity"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { SocialConnector, UnsettledThread } from "@loopbox/core/networks/SocialConnector"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { makeGraphApi } from "../meta/graphApi.ts"
import type { NetworkCalls } from "../calls/NetworkCalls.ts"
import { isThereOrGone } from "../meta/isThereOrGone.ts"
import { Id, OptionalLink, OptionalName, optionalPart, reader } from "../payloads/payload.ts"
import { personOrNone } from "../payloads/personOrNone.ts"
import type { SocialSettings } from "../calls/SocialSettings.ts"
import { facebookConnect } from "./facebookConnect.ts"
import { facebookKinds } from "./facebookKinds.ts"
import { postFields, readMediaContext } from "./facebookMedia.ts"
import { facebookModerate } from "./facebookModerate.ts"
import { facebookMeasure, findReply, sendReply } from "./facebookReplies.ts"
import { facebookPublish } from "./publishing/facebookPublish.ts"
import { deepestThread } from "./polledComments.ts"
import { listPosts, readCommentPage } from "./readComments.ts"
import { listConversations, readConversation } from "./readMessages.ts"

const Picture = Schema.Struct({ data: Schema.Struct({ url: OptionalLink }) })
const readUser = reader(
  Schema.Struct({ name: OptionalName, profile_pic: OptionalLink, picture: optionalPart(Picture) })
)
const readId = reader(Schema.Struct({ id: Id }))
const readParent = reader(Schema.Struct({ parent: optionalPart(Schema.Struct({ id: Id })) }))

/** Facebook Pages: comments on their posts, and Messenger. */
export const makeFacebookConnector = (calls: NetworkCalls, settings: SocialSettings): SocialConnector => {
  const graph = makeGraphApi("facebook", calls, settings)

  const findThreadKey = Effect.fn("FacebookConnector.findThreadKey")(function* (
    access: AccountAccess,
    { parentExternalId }: UnsettledThread
  ) {
    let top = parentExternalId
    for (let level = 0; level < deepestThread; level++) {
      const parent = yield* graph
        .readObject({ access, id: top, fields: "parent{id}", ...facebookKinds.comments }, readParent)
        .pipe(
          Effect.map(({ parent }) => Option.map(parent, ({ id }) => id)),
          // A parent that was named and is gone is as far up as anyone can see.
          Effect.catchTag("Rejected", (error) =>
            level > 0 && error.reason === "gone" ? Effect.succeedNone : Effect.fail(error)
          )
        )
      if (Option.isNone(parent) || parent.value === top) return top
      top = parent.value
    }
    return top
  })

  return {
    network: "facebook",
    connect: [facebookConnect(graph, calls, settings)],
    publish: facebookPublish(graph, settings.metaAppId),
    moderate: facebookModerate(graph),
    pollSteps: ["comments", "messages"],
    listFeeds: Effect.fn("FacebookConnector.listFeeds")((access, step, since) => {
      if (step === "comments") return listPosts(graph, access, since)
      return step === "messages" ? listConversations(graph, access, since) : Effect.succeed([])
    }),
    readFeed: Effect.fn("FacebookConnector.readFeed")((access, feed, request) =>
      feed.step === "messages"
        ? readConversation(graph, access, feed, request)
        : readCommentPage(graph, access, { ...feed, postId: Option.some(feed.id), rootId: Option.none() }, request)
    ),
    isThere: Effect.fn("FacebookConnector.isThere")((access, source, id) => {
      const kind = source === "fb_dm" ? facebookKinds.messages : facebookKinds.comments
      return isThereOrGone(graph.readObject({ access, ...kind, id, fields: "id" }, readId))
    }),
    findMediaContext: Effect.fn("FacebookConnector.findMediaContext")((access, _source, id) =>
      graph.readObject({ access, ...facebookKinds.posts, id, fields: postFields }, readMediaContext(id))
    ),
    findPerson: Effect.fn("FacebookConnector.findPerson")((access, source, personId) => {
      const read = (value: unknown): Result.Result<Person, string> =>
        Result.map(readUser(value), ({ name, picture, profile_pic }) => ({
          id: Option.some(personId),
          name,
          username: Option.none(),
          avatarUrl: Option.orElse(profile_pic, () => Option.flatMap(picture, ({ data }) => data.url))
        }))
      const asked =
        source === "fb_dm"
          ? { fields: "name,profile_pic", ...facebookKinds.messages }
          : { fields: "name,picture", ...facebookKinds.comments }
      return personOrNone(graph.readObject({ access, id: personId, ...asked }, read))
    }),
    findThreadKey,
    measure: facebookMeasure,
    prepareReply: () => Effect.succeedNone,
    sendReply: Effect.fn("FacebookConnector.sendReply")((access, reply) => sendReply(graph, access, reply)),
    findReply: Effect.fn("FacebookConnector.findReply")((access, uncertain) => findReply(graph, access, uncertain)),
    // A Page's token has no end of its own, and nobody but the person who connected it can renew it.
    refreshToken: () => Effect.succeedNone
  }
}
