import type { Person } from "@loopbox/core/connectors/InboundActivity"
import type { AccountAccess, SocialConnector, UnsettledThread } from "@loopbox/core/connectors/SocialConnector"
import { notYet } from "../internal/notYet.ts"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { makeGraphApi } from "../internal/graphApi.ts"
import type { NetworkCalls } from "../internal/NetworkCalls.ts"
import { Id, OptionalLink, OptionalName, optionalPart, reader } from "../internal/payload.ts"
import { personOrNone } from "../internal/personOrNone.ts"
import type { SocialSettings } from "../internal/SocialSettings.ts"

const Picture = Schema.Struct({ data: Schema.Struct({ url: OptionalLink }) })
const readUser = reader(
  Schema.Struct({ name: OptionalName, profile_pic: OptionalLink, picture: optionalPart(Picture) })
)
const readParent = reader(Schema.Struct({ parent: optionalPart(Schema.Struct({ id: Id })) }))

/** Replies made by API may be deeper than the two levels that people see, but not without end. */
const deepestThread = 10

/** Facebook Pages: Messenger's people and those who comment, and the top of a comment's chain. */
export const makeFacebookConnector = (calls: NetworkCalls, settings: SocialSettings): SocialConnector => {
  const graph = makeGraphApi("facebook", calls, settings)

  const findThreadKey = Effect.fn("FacebookConnector.findThreadKey")(function* (
    access: AccountAccess,
    { parentExternalId }: UnsettledThread
  ) {
    let top = parentExternalId
    for (let level = 0; level < deepestThread; level++) {
      const parent = yield* graph
        .readObject({ access, id: top, fields: "parent{id}", endpoint: "content" }, readParent)
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
    ...notYet("facebook"),
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
          ? ({ fields: "name,profile_pic", endpoint: "messages" } as const)
          : ({ fields: "name,picture", endpoint: "content" } as const)
      return personOrNone(graph.readObject({ access, id: personId, ...asked }, read))
    }),
    findThreadKey
  }
}
