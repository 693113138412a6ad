import type { WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { ModeratedItem, Moderation, NetworkModerate } from "@loopbox/core/networks/moderating/NetworkModerate"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { notKnown } from "../payloads/notKnown.ts"
import { requireId, type XApi } from "./XApi.ts"
import { asRefusal } from "./xErrors.ts"

/** X tells the state that there is now, as in `{"data": {"hidden": true}}`. */
const readState =
  (name: string, expected: boolean) =>
  (body: unknown): Result.Result<void, string> =>
    Predicate.isObject(body) && Predicate.isObject(body["data"]) && body["data"][name] === expected
      ? Result.succeed(undefined)
      : Result.fail(`it does not say that ${name} is ${expected}`)

/** What an account does with replies in its conversations, and with its own posts. */
export const xModerate = (api: XApi): NetworkModerate => {
  const act = Effect.fnUntraced(function* (
    access: AccountAccess,
    { replyTargetId: id }: ModeratedItem,
    moderation: Moderation
  ): Effect.fn.Return<void, WriteFailed> {
    yield* requireId(id)
    const likes = `/users/${access.networkAccountId}/likes`
    switch (moderation) {
      case "hide":
      case "unhide": {
        const hidden = moderation === "hide"
        return yield* api.put(
          access,
          { path: `/tweets/${id}/hidden`, endpoint: "PUT tweets/:id/hidden", body: { json: { hidden } } },
          readState("hidden", hidden)
        )
      }
      case "like":
        return yield* api.write(
          access,
          { path: likes, endpoint: "POST users/:id/likes", body: { json: { tweet_id: id } } },
          readState("liked", true)
        )
      case "unlike":
        return yield* api.delete(
          access,
          { path: `${likes}/${id}`, endpoint: "DELETE users/:id/likes/:id" },
          readState("liked", false)
        )
      case "delete":
        return yield* api.delete(
          access,
          { path: `/tweets/${id}`, endpoint: "DELETE tweets/:id" },
          readState("deleted", true)
        )
    }
  })
  return {
    act: Effect.fn("XConnector.act")(
      act,
      Effect.catchTag("Rejected", (error) => Effect.fail(asRefusal(error)))
    ),
    replyPrivately: () => Effect.fail(notKnown("x"))
  }
}
