import type { WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { ModeratedItem, Moderation, NetworkModerate } from "@loopbox/core/networks/moderating/NetworkModerate"
import * as Effect from "effect/Effect"
import type { GraphApi } from "../meta/graphApi.ts"
import { sendPrivateMessage } from "../meta/privateMessage.ts"
import { readSuccess } from "../meta/readSuccess.ts"
import { instagramKinds, messenger } from "./instagramKinds.ts"

/** What an account does with comments on its media. Likes are Facebook's login's alone. */
export const instagramModerate = (graph: GraphApi): NetworkModerate => {
  const act = (
    access: AccountAccess,
    { externalId }: ModeratedItem,
    moderation: Moderation
  ): Effect.Effect<void, WriteFailed> => {
    const call = { access, ...instagramKinds(graph, access).comments, path: [externalId] }
    const likes = {
      ...call,
      scopes: ["instagram_manage_engagement"],
      path: [access.networkAccountId, "likes"],
      query: { comment_id: externalId }
    }
    switch (moderation) {
      case "hide":
      case "unhide":
        return graph.write({ ...call, query: { hide: String(moderation === "hide") } }, { form: {} }, readSuccess)
      case "like":
        return graph.write(likes, { form: {} }, readSuccess)
      case "unlike":
        return graph.delete(likes, readSuccess)
      case "delete":
        return graph.delete(call, readSuccess)
    }
  }
  return {
    act: Effect.fn("InstagramConnector.act")(act),
    replyPrivately: Effect.fn("InstagramConnector.replyPrivately")((access, reply) =>
      sendPrivateMessage(
        graph,
        { access, ...instagramKinds(graph, access).messages, path: [messenger(graph, access), "messages"] },
        "ig_dm",
        reply
      )
    )
  }
}
