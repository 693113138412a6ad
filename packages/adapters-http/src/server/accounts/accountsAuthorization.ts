import { InboxAccess } from "@loopbox/core/access/InboxAccess"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { AccountsAuthorization, CurrentScope } from "../../api/accounts/AccountsAuthorization.ts"
import { makeIdentify, toCredential } from "../access/identify.ts"
import { rawQueryOf, scopeRefusals } from "../inbox/enterInbox.ts"
import { asActor } from "../audit/asActor.ts"

/** Stands before accounts and connecting: who calls, then the scope, by the query as it came. */
export const layer = Layer.effect(
  AccountsAuthorization,
  Effect.gen(function* () {
    const access = yield* InboxAccess
    const identify = yield* makeIdentify
    return AccountsAuthorization.of({
      credential: Effect.fnUntraced(function* (next, { credential }) {
        const { headers, url } = yield* HttpServerRequest.HttpServerRequest
        const scoped = yield* identify(toCredential(credential, headers["x-workspace-id"])).pipe(
          Effect.flatMap((caller) => access.enterOptionalScope(caller, rawQueryOf(url))),
          Effect.catchTags(scopeRefusals)
        )
        return yield* next.pipe(
          asActor,
          Effect.provideService(CurrentScope, scoped),
          Effect.annotateLogs({ workspace_id: scoped.workspace.id })
        )
      })
    })
  })
)
