import type { Workspace } from "@loopbox/core/workspaces/Workspace"
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { errors } from "../ErrorBody.ts"
import { credential } from "../inbox/InboxAuthorization.ts"

/** The workspace whose caller may see all of it: set by `WorkspaceAuthorization`. */
export class CurrentWorkspace extends Context.Service<CurrentWorkspace, Workspace>()(
  "@loopbox/adapters-http/api/usage/CurrentWorkspace"
) {}

/**
 * What is of the workspace as a whole: any API key, or a dashboard user who is admin or owner. There is no scope, and
 * parameters of one are ignored; any plan may (api-2.md §16).
 */
export class WorkspaceAuthorization extends HttpApiMiddleware.Service<
  WorkspaceAuthorization,
  { provides: CurrentWorkspace }
>()("@loopbox/adapters-http/api/usage/WorkspaceAuthorization", {
  security: { credential },
  error: errors("UNAUTHORIZED", "INSUFFICIENT_ROLE", "RATE_LIMITED", "INBOX_SCOPE_LOOKUP_FAILED"),
  requiredForClient: true
}) {}
