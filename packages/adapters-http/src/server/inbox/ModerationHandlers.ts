import { Inbox } from "@loopbox/core/inbox/Inbox"
import { Moderations } from "@loopbox/core/moderation/Moderations"
import type { BatchResult } from "@loopbox/core/moderation/runBatch"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../api/Api.ts"
import { CurrentEntitlement } from "../../api/inbox/InboxAuthorization.ts"
import { toItemBody } from "../../api/inbox/ItemBody.ts"
import { BatchBody } from "../../api/inbox/ModerationApi.ts"
import { jsonRefusals, readJson } from "../edge/readJson.ts"
import { answer } from "../edge/refuse.ts"
import { plainRequestRefusal } from "../edge/Validation.ts"
import { itemRefusals } from "./inboxRefusals.ts"
import { batchCodeOf, moderationRefusals } from "./moderationRefusals.ts"

const toResult = ({ failure, id }: BatchResult) => {
  if (failure === undefined) return { id, status: "done" as const, code: null }
  const code = batchCodeOf(failure)
  return { id, status: failure._tag === "ItemNotFound" ? ("not_found" as const) : ("refused" as const), code }
}

export const layer = HttpApiBuilder.group(
  Api,
  "moderation",
  Effect.fnUntraced(function* (handlers) {
    const inbox = yield* Inbox
    const moderations = yield* Moderations

    const act = (moderation: "hide" | "unhide" | "like" | "unlike") =>
      Effect.fnUntraced(function* ({ params }: { readonly params: { readonly id: string } }) {
        return yield* answer(toItemBody(yield* moderations.act(yield* CurrentEntitlement, params.id, moderation)))
      }, Effect.catchTags(moderationRefusals))

    return handlers
      .handleRaw(
        "batch",
        Effect.fnUntraced(
          function* () {
            const caller = yield* CurrentEntitlement
            const { action, ids } = yield* readJson(BatchBody)
            return yield* answer({ results: (yield* moderations.batch(caller, ids, action)).map(toResult) })
          },
          Effect.catchTags({ ...jsonRefusals, ...plainRequestRefusal })
        )
      )
      .handleAll({
        hide: act("hide"),
        unhide: act("unhide"),
        like: act("like"),
        unlike: act("unlike"),
        remove: Effect.fnUntraced(function* ({ params }) {
          return yield* moderations.delete(yield* CurrentEntitlement, params.id)
        }, Effect.catchTags(moderationRefusals)),
        markUnread: Effect.fnUntraced(function* ({ params }) {
          yield* inbox.markUnread(yield* CurrentEntitlement, params.id)
        }, Effect.catchTags(itemRefusals))
      })
  })
)
