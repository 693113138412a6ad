import type { ScopedCaller } from "@loopbox/core/access/EntitledCaller"
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { errors } from "../ErrorBody.ts"
import { credential } from "../inbox/InboxAuthorization.ts"

/** Who calls, and for which scope: set by `AccountsAuthorization`. */
export class CurrentScope extends Context.Service<CurrentScope, ScopedCaller>()(
  "@loopbox/adapters-http/api/CurrentScope"
) {}

/**
 * Accounts and connecting (api-2.md §11): any API key, or a dashboard user who is admin or owner. The scope may be left
 * out; then it is the workspace. Any plan may.
 */
export class AccountsAuthorization extends HttpApiMiddleware.Service<
  AccountsAuthorization,
  { provides: CurrentScope }
>()("@loopbox/adapters-http/api/accounts/AccountsAuthorization", {
  security: { credential },
  error: errors(
    "INBOX_SCOPE_INVALID",
    "UNAUTHORIZED",
    "INSUFFICIENT_ROLE",
    "MANAGED_USER_NOT_FOUND",
    "RATE_LIMITED",
    "INBOX_SCOPE_LOOKUP_FAILED"
  ),
  requiredForClient: true
}) {}
