import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { EndpointsAuthorization } from "../../api/endpoints/EndpointsAuthorization.ts"
import { CurrentEntitlement } from "../../api/inbox/InboxAuthorization.ts"
import { toCredential } from "../access/identify.ts"
import { asActor } from "../audit/asActor.ts"
import { makeEnterInbox, rawQueryOf } from "../inbox/enterInbox.ts"

/** Stands before every request about webhook endpoints: as before the inbox, but only the workspace's scope is taken. */
export const layer = Layer.effect(
  EndpointsAuthorization,
  Effect.gen(function* () {
    const enterInbox = yield* makeEnterInbox
    return EndpointsAuthorization.of({
      credential: Effect.fnUntraced(function* (next, { credential }) {
        const { headers, url } = yield* HttpServerRequest.HttpServerRequest
        const entitled = yield* enterInbox(toCredential(credential, headers["x-workspace-id"]), {
          rawQuery: rawQueryOf(url),
          isExplicit: false,
          isOfWorkspace: true
        })
        return yield* next.pipe(
          asActor,
          Effect.provideService(CurrentEntitlement, entitled),
          Effect.annotateLogs({ workspace_id: entitled.workspace.id })
        )
      })
    })
  })
)
