import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { EndpointsAuthorization } from "../../api/endpoints/EndpointsAuthorization.ts"
import { CurrentEntitlement, InboxAuthorization } from "../../api/inbox/InboxAuthorization.ts"
import { makeEnterInbox, rawQueryOf } from "./enterInbox.ts"
import { toCredential } from "../access/identify.ts"
import { asActor } from "../audit/asActor.ts"

/** Judges the query as it came. What is the workspace's takes no managed user's scope (api-2-decided B1). */
const makeAuthorization = Effect.fnUntraced(function* (isOfWorkspace: boolean) {
  const enterInbox = yield* makeEnterInbox
  const credential: InboxAuthorization["Service"]["credential"] = Effect.fnUntraced(function* (next, { credential }) {
    const { headers, url } = yield* HttpServerRequest.HttpServerRequest
    const entitled = yield* enterInbox(toCredential(credential, headers["x-workspace-id"]), {
      rawQuery: rawQueryOf(url),
      isExplicit: false,
      isOfWorkspace
    })
    return yield* next.pipe(
      asActor,
      Effect.provideService(CurrentEntitlement, entitled),
      Effect.annotateLogs({ workspace_id: entitled.workspace.id })
    )
  })
  return { credential }
})

/** Stands before every inbox endpoint, and before those of webhook endpoints. */
export const layer = Layer.merge(
  Layer.effect(InboxAuthorization, makeAuthorization(false)),
  Layer.effect(EndpointsAuthorization, makeAuthorization(true))
)
