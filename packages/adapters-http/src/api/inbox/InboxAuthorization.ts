import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import { errors } from "../ErrorBody.ts"

export const credential = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotate(
    OpenApi.Description,
    "A workspace API key, or a dashboard token (JWT) of an admin or owner: `Authorization: Bearer …`."
  )
)

/** Who calls, for which scope, under a plan that has the inbox: set by `InboxAuthorization`. */
export class CurrentEntitlement extends Context.Service<CurrentEntitlement, EntitledCaller>()(
  "@loopbox/adapters-http/api/CurrentEntitlement"
) {}

/** What rows 1–3 of api.md §2 answer. */
export const accessCodes = [
  "INBOX_SCOPE_REQUIRED",
  "INBOX_SCOPE_INVALID",
  "UNAUTHORIZED",
  "PLAN_FEATURE_NOT_AVAILABLE",
  "INSUFFICIENT_ROLE",
  "API_KEY_CREATOR_REQUIRED",
  "MANAGED_USER_NOT_FOUND",
  "RATE_LIMITED",
  "INBOX_SCOPE_LOOKUP_FAILED"
] as const

/** Rows 1–3 of api.md §2, in their order: authentication, scope, plan. It stands before everything else. */
export class InboxAuthorization extends HttpApiMiddleware.Service<
  InboxAuthorization,
  { provides: CurrentEntitlement }
>()("@loopbox/adapters-http/api/inbox/InboxAuthorization", {
  security: { credential },
  error: errors(...accessCodes),
  requiredForClient: true
}) {}
