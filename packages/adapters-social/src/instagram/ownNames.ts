import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { AccountNames } from "@loopbox/core/networks/SocialConnector"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { GraphApi } from "../meta/graphApi.ts"
import { Id, OptionalId, OptionalName, reader } from "../payloads/payload.ts"
import { instagramKinds } from "./instagramKinds.ts"

const readMe = reader(Schema.Struct({ id: Id, user_id: OptionalId, username: OptionalName }))

/**
 * Instagram names an account by two ids: one of webhooks (`user_id`), and one that only this app knows (`id`).
 * Conversations carry either. At Facebook there is only the first, and "me" is the Page.
 */
export const readOwnNames = Effect.fnUntraced(function* (graph: GraphApi, access: AccountAccess) {
  const { networkAccountId, username } = access
  const isAtFacebook = graph.isAtFacebook(access)
  if (isAtFacebook && Option.isSome(username)) {
    const known: AccountNames = { ids: [networkAccountId], username }
    return known
  }
  const asked = isAtFacebook
    ? { id: networkAccountId, fields: "id,username" }
    : { id: "me", fields: "id,user_id,username" }
  const me = yield* graph.readObject({ access, ...instagramKinds(graph, access).media, ...asked }, readMe)
  // Without `user_id` in the answer, the id that the account was connected with is the id of webhooks.
  const names: AccountNames = {
    ids: [Option.getOrElse(me.user_id, () => networkAccountId), me.id],
    username: me.username
  }
  return names
})
