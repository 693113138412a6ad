import { Audit } from "@loopbox/core/audit/Audit"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../api/Api.ts"
import { toAuditEventBody } from "../../api/audit/AuditApi.ts"
import { CurrentWorkspace } from "../../api/usage/WorkspaceAuthorization.ts"
import { answerPage, Cursors } from "../edge/Cursors.ts"
import { listUse } from "../edge/listUse.ts"
import { refuseStore } from "../edge/storeRefusals.ts"
import { plainRequestRefusal } from "../edge/Validation.ts"

const refusals = { ...plainRequestRefusal, StoreUnavailable: refuseStore }

export const layer = HttpApiBuilder.group(
  Api,
  "audit",
  Effect.fnUntraced(function* (handlers) {
    const audit = yield* Audit
    const cursors = yield* Cursors
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { id } = yield* CurrentWorkspace
        const filter = {
          actorId: Option.fromUndefinedOr(query.actor),
          action: Option.fromUndefinedOr(query.action),
          targetId: Option.fromUndefinedOr(query.target)
        }
        return yield* answerPage(
          cursors,
          listUse("audit-events", id, query),
          query,
          (page) => audit.list(id, filter, page),
          toAuditEventBody
        )
      }, Effect.catchTags(refusals))
    })
  })
)
