import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { errors } from "../ErrorBody.ts"
import { credential } from "../inbox/InboxAuthorization.ts"
import type { CurrentWorkspace } from "../usage/WorkspaceAuthorization.ts"

/**
 * Who may see whoever did what: a key whose creator is admin or owner now, or such a dashboard user. There is no scope;
 * any plan may (api-2-decided B19).
 */
export class AuditAuthorization extends HttpApiMiddleware.Service<AuditAuthorization, { provides: CurrentWorkspace }>()(
  "@loopbox/adapters-http/api/audit/AuditAuthorization",
  {
    security: { credential },
    error: errors(
      "UNAUTHORIZED",
      "API_KEY_CREATOR_REQUIRED",
      "INSUFFICIENT_ROLE",
      "RATE_LIMITED",
      "INBOX_SCOPE_LOOKUP_FAILED"
    ),
    requiredForClient: true
  }
) {}
