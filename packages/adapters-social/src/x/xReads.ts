import { AuthExpired, type Rejected } from "@loopbox/core/connectors/ConnectorErrors"
import type { Feed } from "@loopbox/core/connectors/Feed"
import type { NetworkReads } from "@loopbox/core/connectors/SocialConnector"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Id, optionalParts, reader } from "../internal/payload.ts"
import { personOrNone } from "../internal/personOrNone.ts"
import { isProvenGone } from "../internal/xErrors.ts"
import { mentionsPage, mentionsQuery } from "./mentionsPage.ts"
import { contextQuery, postContext } from "./postContext.ts"
import { asPerson, XUser } from "./readPost.ts"
import { requireId } from "./XApi.ts"
import type { XApi } from "./XApi.ts"

const readUser = reader(Schema.Struct({ data: XUser }))
const readConversation = reader(
  Schema.Struct({
    data: Schema.Struct({ id: Id, conversation_id: Id, edit_history_tweet_ids: optionalParts(Id) })
  })
)
const readId = reader(Schema.Struct({ data: Schema.Struct({ id: Id }) }))

const mentionsOf = (accountId: string): Feed => ({
  step: "mentions",
  source: "x_reply",
  id: accountId,
  items: Option.none(),
  updatedAt: Option.none(),
  size: Option.none(),
  firstPage: Option.none()
})

/** An account's own mentions can't be gone: whoever may not see them lacks a permission (social-networks.md §7). */
const asPermission = (error: Rejected): Rejected | AuthExpired => {
  const { detail, network, networkCode, reason } = error
  return reason === "gone" || reason === "other"
    ? new AuthExpired({ network, networkCode, detail, reason: "permission", missingScopes: [] })
    : error
}

/** What X tells. Every post and user read is billed, so nobody asks twice without need. */
export const xReads = (api: XApi): NetworkReads => ({
  pollSteps: ["mentions"],
  listFeeds: ({ networkAccountId }) => Effect.succeed([mentionsOf(networkAccountId)]),
  readFeed: Effect.fn("XConnector.readFeed")(function* (access, { id }, request) {
    yield* requireId(id)
    const requestedAt = yield* DateTime.now
    const call = { path: `/users/${id}/mentions`, endpoint: "users/:id/mentions", query: mentionsQuery(request) }
    return yield* api
      .read(access, call, (body) => mentionsPage(body, access, request, requestedAt))
      .pipe(Effect.catchTag("Rejected", (error) => Effect.fail(asPermission(error))))
  }),
  isThere: Effect.fn("XConnector.isThere")((access, _source, externalId) =>
    api.readPost(access, externalId, {}, readId).pipe(
      Effect.as(true),
      Effect.catchIf(isProvenGone, () => Effect.succeed(false))
    )
  ),
  findMediaContext: Effect.fn("XConnector.findMediaContext")((access, _source, postId) =>
    api.readPost(access, postId, contextQuery, postContext)
  ),
  findPerson: Effect.fn("XConnector.findPerson")((access, _source, personId) =>
    personOrNone(
      Effect.andThen(
        requireId(personId),
        api.read(
          access,
          {
            path: `/users/${personId}`,
            endpoint: "users/:id",
            query: { "user.fields": "name,username,profile_image_url" }
          },
          (body) => Result.map(readUser(body), ({ data }) => asPerson(data))
        )
      )
    )
  ),
  findThreadKey: Effect.fn("XConnector.findThreadKey")((access, { externalId }) =>
    api.readPost(access, externalId, { "tweet.fields": "conversation_id,edit_history_tweet_ids" }, (body) =>
      Result.map(readConversation(body), ({ data }) =>
        // A root that was edited keeps the id of its first version.
        data.edit_history_tweet_ids.includes(data.conversation_id)
          ? (data.edit_history_tweet_ids[0] ?? data.conversation_id)
          : data.conversation_id
      )
    )
  )
})
