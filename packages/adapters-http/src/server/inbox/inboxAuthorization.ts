import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { CurrentEntitlement, InboxAuthorization } from "../../api/inbox/InboxAuthorization.ts"
import { makeEnterInbox, rawQueryOf } from "./enterInbox.ts"
import { toCredential } from "../access/identify.ts"
import { asActor } from "../audit/asActor.ts"

/** Stands before every inbox endpoint, and judges the query as it came. */
export const layer = Layer.effect(
  InboxAuthorization,
  Effect.gen(function* () {
    const enterInbox = yield* makeEnterInbox
    return InboxAuthorization.of({
      credential: Effect.fnUntraced(function* (next, { credential }) {
        const { headers, url } = yield* HttpServerRequest.HttpServerRequest
        const entitled = yield* enterInbox(toCredential(credential, headers["x-workspace-id"]), {
          rawQuery: rawQueryOf(url),
          isExplicit: false
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
