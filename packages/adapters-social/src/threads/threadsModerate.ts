import type { WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { ModeratedItem, Moderation, NetworkModerate } from "@loopbox/core/networks/moderating/NetworkModerate"
import * as Effect from "effect/Effect"
import type { GraphApi } from "../meta/graphApi.ts"
import { readSuccess } from "../meta/readSuccess.ts"
import { notKnown } from "../payloads/notKnown.ts"

/** What an account does with replies to its threads, and with its own. */
export const threadsModerate = (graph: GraphApi): NetworkModerate => {
  const act = (
    access: AccountAccess,
    { externalId }: ModeratedItem,
    moderation: Moderation
  ): Effect.Effect<void, WriteFailed> => {
    const call = { access, endpoint: "content" as const }
    switch (moderation) {
      case "hide":
      case "unhide":
        return graph.write(
          {
            ...call,
            scopes: ["threads_manage_replies"],
            path: [externalId, "manage_reply"],
            query: { hide: String(moderation === "hide") }
          },
          { form: {} },
          readSuccess
        )
      case "delete":
        return graph.delete({ ...call, scopes: ["threads_delete"], path: [externalId] }, readSuccess)
      case "like":
      case "unlike":
        return Effect.fail(notKnown("threads"))
    }
  }
  return {
    act: Effect.fn("ThreadsConnector.act")(act),
    replyPrivately: () => Effect.fail(notKnown("threads"))
  }
}
