import { Rejected } from "@loopbox/core/connectors/ConnectorErrors"
import type { ReadFailed } from "@loopbox/core/connectors/ConnectorErrors"
import type { AccountAccess, SocialConnector } from "@loopbox/core/connectors/SocialConnector"
import { notYet } from "../internal/notYet.ts"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { decodeAnswer } from "../internal/NetworkClient.ts"
import type { NetworkCalls } from "../internal/NetworkCalls.ts"
import { Id, optionalParts, reader } from "../internal/payload.ts"
import { personOrNone } from "../internal/personOrNone.ts"
import { xFailure } from "../internal/xErrors.ts"
import { rootUrl } from "../internal/SocialSettings.ts"
import type { SocialSettings } from "../internal/SocialSettings.ts"
import { asPerson, XUser } from "./readPost.ts"

const readUser = reader(Schema.Struct({ data: XUser }))
const readConversation = reader(
  Schema.Struct({
    data: Schema.Struct({ id: Id, conversation_id: Id, edit_history_tweet_ids: optionalParts(Id) })
  })
)

const plainId = /^[0-9]{1,19}$/

/** X. Every user read is billed, so nobody asks twice for the same person without need. */
export const makeXConnector = (calls: NetworkCalls, settings: SocialSettings): SocialConnector => {
  const root = rootUrl("x", settings)

  const readObject = Effect.fnUntraced(function* <A>(
    access: AccountAccess,
    collection: "users" | "tweets",
    id: string,
    query: Readonly<Record<string, string>>,
    read: (value: unknown) => Result.Result<A, string>
  ): Effect.fn.Return<A, ReadFailed> {
    if (!plainId.test(id)) {
      return yield* new Rejected({ network: "x", reason: "invalid", networkCode: Option.none(), detail: "no such id" })
    }
    const { accessToken, networkAccountId: accountId } = access
    const url = `${root}/${collection}/${id}`
    return yield* calls.read({ url, query, accessToken, accountId, endpoint: collection }, (answer, now) => {
      const failure = xFailure(answer, accessToken, now)
      return failure === undefined ? decodeAnswer("x", read)(answer.body) : Effect.fail(failure)
    })
  })

  return {
    network: "x",
    ...notYet("x"),
    findPerson: Effect.fn("XConnector.findPerson")((access, _source, personId) => {
      const query = { "user.fields": "name,username,profile_image_url" }
      const read = (value: unknown) => Result.map(readUser(value), ({ data }) => asPerson(data))
      return personOrNone(readObject(access, "users", personId, query, read))
    }),
    findThreadKey: Effect.fn("XConnector.findThreadKey")((access, { externalId }) => {
      const query = { "tweet.fields": "conversation_id,edit_history_tweet_ids" }
      const read = (value: unknown) =>
        Result.map(readConversation(value), ({ data }) =>
          // A root that was edited keeps the id of its first version.
          data.edit_history_tweet_ids.includes(data.conversation_id)
            ? (data.edit_history_tweet_ids[0] ?? data.conversation_id)
            : data.conversation_id
        )
      return readObject(access, "tweets", externalId, query, read)
    })
  }
}
