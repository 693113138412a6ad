import { workspaceOf } from "@loopbox/core/access/ScopeClaim"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { CurrentWorkspace, WorkspaceAuthorization } from "../../api/usage/WorkspaceAuthorization.ts"
import { makeIdentify, toCredential } from "../access/identify.ts"
import { workspaceRefusals } from "../inbox/enterInbox.ts"
import { asActor } from "../audit/asActor.ts"

/** Stands before what is of the workspace as a whole: who calls, and the role of a dashboard user. */
export const layer = Layer.effect(
  WorkspaceAuthorization,
  Effect.gen(function* () {
    const identify = yield* makeIdentify
    return WorkspaceAuthorization.of({
      credential: Effect.fnUntraced(function* (next, { credential }) {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const workspace = yield* identify(toCredential(credential, headers["x-workspace-id"])).pipe(
          Effect.flatMap((caller) => Effect.fromResult(workspaceOf(caller, "admin"))),
          Effect.catchTags(workspaceRefusals)
        )
        return yield* next.pipe(
          asActor,
          Effect.provideService(CurrentWorkspace, workspace),
          Effect.annotateLogs({ workspace_id: workspace.id })
        )
      })
    })
  })
)
