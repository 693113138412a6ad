import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import { errorBody } from "./ErrorBody.ts"

const credential = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotate(
    OpenApi.Description,
    "A workspace API key, or a dashboard token (JWT) of an admin or owner: `Authorization: Bearer …`."
  )
)

/** Who calls, for which scope, under a plan that has the inbox: set by `InboxAccess`. */
export class CurrentEntitlement extends Context.Service<CurrentEntitlement, EntitledCaller>()(
  "@loopbox/adapters-http/api/CurrentEntitlement"
) {}

/** What rows 1–3 of api.md §2 answer, by status. */
export const accessErrors = {
  400: ["INBOX_SCOPE_REQUIRED", "INBOX_SCOPE_INVALID"],
  401: ["UNAUTHORIZED"],
  402: ["PLAN_FEATURE_NOT_AVAILABLE"],
  403: ["INSUFFICIENT_ROLE", "API_KEY_CREATOR_REQUIRED"],
  404: ["MANAGED_USER_NOT_FOUND"],
  429: ["RATE_LIMITED"],
  500: ["INBOX_SCOPE_LOOKUP_FAILED"]
} as const

/** Rows 1–3 of api.md §2, in their order: authentication, scope, plan. It stands before everything else. */
export class InboxAccess extends HttpApiMiddleware.Service<InboxAccess, { provides: CurrentEntitlement }>()(
  "@loopbox/adapters-http/api/InboxAccess",
  {
    security: { credential },
    error: [
      errorBody(400, accessErrors[400]),
      errorBody(401, accessErrors[401]),
      errorBody(402, accessErrors[402]),
      errorBody(403, accessErrors[403]),
      errorBody(404, accessErrors[404]),
      errorBody(429, accessErrors[429]),
      errorBody(500, accessErrors[500])
    ],
    requiredForClient: true
  }
) {}
