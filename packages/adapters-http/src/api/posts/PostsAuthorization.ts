import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import type { CurrentScope } from "../accounts/AccountsAuthorization.ts"
import { errors } from "../ErrorBody.ts"
import { credential } from "../inbox/InboxAuthorization.ts"

/**
 * Posts (api-2.md §12): any API key, or a dashboard user who is owner, admin or editor. The scope may be left out; then it
 * is the workspace. Any plan may.
 */
export class PostsAuthorization extends HttpApiMiddleware.Service<PostsAuthorization, { provides: CurrentScope }>()(
  "@loopbox/adapters-http/api/posts/PostsAuthorization",
  {
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
  }
) {}
