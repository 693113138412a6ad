import { judgeOverseer } from "@loopbox/core/access/ScopeClaim"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { AuditAuthorization } from "../../api/audit/AuditAuthorization.ts"
import { CurrentWorkspace } from "../../api/usage/WorkspaceAuthorization.ts"
import { makeIdentify, toCredential } from "../access/identify.ts"
import { refuse } from "../edge/refuse.ts"
import { workspaceRefusals } from "../inbox/enterInbox.ts"

const refusals = { ...workspaceRefusals, KeyCreatorRequired: () => refuse("API_KEY_CREATOR_REQUIRED") }
import { asActor } from "./asActor.ts"

/** Stands before the audit: who calls, and whether he is an admin, or his key of one. */
export const layer = Layer.effect(
  AuditAuthorization,
  Effect.gen(function* () {
    const identify = yield* makeIdentify
    return AuditAuthorization.of({
      credential: Effect.fnUntraced(function* (next, { credential }) {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const workspace = yield* identify(toCredential(credential, headers["x-workspace-id"])).pipe(
          Effect.flatMap((caller) => Effect.fromResult(judgeOverseer(caller))),
          Effect.catchTags(refusals)
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
