import { Threads } from "@loopbox/core/threads/Threads"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../api/Api.ts"
import { CurrentEntitlement } from "../../api/inbox/InboxAuthorization.ts"
import { answer } from "../edge/refuse.ts"
import { countRefusals } from "./inboxRefusals.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "labels",
  Effect.fnUntraced(function* (handlers) {
    const threads = yield* Threads
    return handlers.handle(
      "list",
      Effect.fnUntraced(function* () {
        const labels = yield* threads.labels(yield* CurrentEntitlement)
        const listed = labels.map(({ label, openThreads }) => ({ label, open_threads: openThreads }))
        return { ...(yield* answer(listed)), next_cursor: null }
      }, Effect.catchTags(countRefusals))
    )
  })
)
