import { AuthExpired, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import type { ReadFailed, Rejected } from "@loopbox/core/networks/ConnectorErrors"
import type { Feed } from "@loopbox/core/networks/Feed"
import type { NetworkReads } from "@loopbox/core/networks/SocialConnector"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Id, optionalParts, reader } from "../payloads/payload.ts"
import { personOrNone } from "../payloads/personOrNone.ts"
import { isProvenGone, notAuthorized } from "./xErrors.ts"
import { mentionsPage, mentionsQuery } from "./mentionsPage.ts"
import { postContext } from "./postContext.ts"
import { asPerson, XUser } from "./readPost.ts"
import { dataOf, postReader } from "./vocabulary.ts"
import { requireId } from "./XApi.ts"
import type { XApi } from "./XApi.ts"
import type { XQueries } from "./xQueries.ts"

const readUser = reader(Schema.Struct({ data: XUser }))
const readConversation = postReader(
  reader(Schema.Struct({ id: Id, conversation_id: Id, edit_history_post_ids: optionalParts(Id) }))
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

/**
 * An account's own mentions can't be gone. X's word that the account may not see them is about its permission; any other
 * refusal, of an app that isn't enrolled first of all, is about the developer's app, which no new connecting mends.
 */
const ofAccountOrApp = (error: Rejected): ReadFailed => {
  const { detail, network, networkCode, reason } = error
  const shared = { network, networkCode, detail }
  if (Option.contains(networkCode, notAuthorized)) {
    return new AuthExpired({ ...shared, reason: "permission", missingScopes: [] })
  }
  return reason === "gone" || reason === "other" ? new Unavailable({ ...shared, reason: "source" }) : error
}

/** What X tells. Every post and user read is billed, so nobody asks twice without need. */
export const xReads = (api: XApi): NetworkReads => ({
  pollSteps: ["mentions"],
  listFeeds: ({ networkAccountId }) => Effect.succeed([mentionsOf(networkAccountId)]),
  readFeed: Effect.fn("XConnector.readFeed")(function* (access, { id }, request) {
    yield* requireId(id)
    const requestedAt = yield* DateTime.now
    const call = {
      path: `/users/${id}/mentions`,
      endpoint: "users/:id/mentions",
      query: ({ items }: XQueries) => mentionsQuery(items, request)
    }
    return yield* api
      .read(access, call, (body) => mentionsPage(body, access, request, requestedAt))
      .pipe(Effect.catchTag("Rejected", (error) => Effect.fail(ofAccountOrApp(error))))
  }),
  isThere: Effect.fn("XConnector.isThere")((access, _source, externalId) =>
    api
      .readPost(access, externalId, () => ({}), readId)
      .pipe(
        Effect.as(true),
        Effect.catchIf(isProvenGone, () => Effect.succeed(false))
      )
  ),
  findMediaContext: Effect.fn("XConnector.findMediaContext")((access, _source, postId) =>
    api.readPost(access, postId, ({ context }) => context, postContext)
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
            query: () => ({ "user.fields": "name,username,profile_image_url" })
          },
          (body) => Result.map(readUser(body), ({ data }) => asPerson(data))
        )
      )
    )
  ),
  findThreadKey: Effect.fn("XConnector.findThreadKey")((access, { externalId }) =>
    api.readPost(
      access,
      externalId,
      ({ thread }) => thread,
      (body) =>
        Result.map(readConversation(dataOf(body)), ({ conversation_id, edit_history_post_ids: history }) =>
          // A root that was edited keeps the id of its first version.
          history.includes(conversation_id) ? (history[0] ?? conversation_id) : conversation_id
        )
    )
  )
})
