import { Usage } from "@loopbox/core/usage/Usage"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../api/Api.ts"
import { toUsageBody } from "../../api/usage/UsageApi.ts"
import { CurrentWorkspace } from "../../api/usage/WorkspaceAuthorization.ts"
import { answer, refuse } from "../edge/refuse.ts"
import { refuseStore } from "../edge/storeRefusals.ts"

const refusals = {
  // It was erased since the caller was let in.
  WorkspaceNotFound: () => refuse("NOT_FOUND", "There is no such workspace."),
  StoreUnavailable: refuseStore
}

export const layer = HttpApiBuilder.group(
  Api,
  "usage",
  Effect.fnUntraced(function* (handlers) {
    const usage = yield* Usage
    return handlers.handleAll({
      read: Effect.fnUntraced(function* () {
        const { id } = yield* CurrentWorkspace
        return yield* answer(toUsageBody(yield* usage.read(id)))
      }, Effect.catchTags(refusals))
    })
  })
)
