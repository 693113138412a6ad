import type { WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { ModeratedItem, Moderation, NetworkModerate } from "@loopbox/core/networks/moderating/NetworkModerate"
import * as Effect from "effect/Effect"
import type { GraphApi } from "../meta/graphApi.ts"
import { sendPrivateMessage } from "../meta/privateMessage.ts"
import { readSuccess } from "../meta/readSuccess.ts"
import { facebookKinds } from "./facebookKinds.ts"

/** What a Page does with comments on its posts. */
export const facebookModerate = (graph: GraphApi): NetworkModerate => {
  const act = (
    access: AccountAccess,
    { externalId }: ModeratedItem,
    moderation: Moderation
  ): Effect.Effect<void, WriteFailed> => {
    const call = { access, ...facebookKinds.answers, path: [externalId] }
    const likes = { ...call, path: [externalId, "likes"] }
    switch (moderation) {
      case "hide":
      case "unhide":
        return graph.write(call, { form: { is_hidden: String(moderation === "hide") } }, readSuccess)
      case "like":
        return graph.write(likes, { form: {} }, readSuccess)
      case "unlike":
        return graph.delete(likes, readSuccess)
      case "delete":
        return graph.delete(call, readSuccess)
    }
  }
  return {
    act: Effect.fn("FacebookConnector.act")(act),
    replyPrivately: Effect.fn("FacebookConnector.replyPrivately")((access, reply) =>
      sendPrivateMessage(
        graph,
        { access, ...facebookKinds.messages, path: [access.networkAccountId, "messages"] },
        "fb_dm",
        reply
      )
    )
  }
}
