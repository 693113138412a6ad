import type { Person } from "@loopbox/core/connectors/InboundActivity"
import type { SocialConnector } from "@loopbox/core/connectors/SocialConnector"
import { notYet } from "../internal/notYet.ts"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { makeGraphApi } from "../internal/graphApi.ts"
import type { NetworkCalls } from "../internal/NetworkCalls.ts"
import { OptionalLink, OptionalName, reader } from "../internal/payload.ts"
import { personOrNone } from "../internal/personOrNone.ts"
import type { SocialSettings } from "../internal/SocialSettings.ts"

const readUser = reader(Schema.Struct({ name: OptionalName, username: OptionalName, profile_pic: OptionalLink }))

/** Instagram. People are shown who have written to the account; a comment's thread is in its webhook. */
export const makeInstagramConnector = (calls: NetworkCalls, settings: SocialSettings): SocialConnector => {
  const graph = makeGraphApi("instagram", calls, settings)
  return {
    network: "instagram",
    ...notYet("instagram"),
    findPerson: Effect.fn("InstagramConnector.findPerson")((access, _source, personId) => {
      const read = (value: unknown): Result.Result<Person, string> =>
        Result.map(readUser(value), ({ name, profile_pic, username }) => ({
          id: Option.some(personId),
          name,
          username,
          avatarUrl: profile_pic
        }))
      return personOrNone(
        graph.readObject({ access, id: personId, fields: "name,username,profile_pic", endpoint: "messages" }, read)
      )
    }),
    findThreadKey: (_access, { parentExternalId }) => Effect.succeed(parentExternalId)
  }
}
