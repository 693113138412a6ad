import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import type { CurrentCaller } from "./CurrentCaller.ts"
import { errors } from "./ErrorBody.ts"

const apiKey = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotate(OpenApi.Description, "A workspace API key: `Authorization: Bearer lbx_live_…`.")
)
const adminToken = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotate(OpenApi.Description, "The host's admin token (`LOOPBOX_ADMIN_TOKEN`).")
)

/** A workspace's API key, for media. */
export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: CurrentCaller }>()(
  "@loopbox/adapters-http/api/Authentication",
  {
    security: { apiKey },
    error: errors("UNAUTHORIZED", "API_KEY_REQUIRED", "RATE_LIMITED", "TEMPORARILY_UNAVAILABLE"),
    requiredForClient: true
  }
) {}

/** A workspace's API key, for conversions: there a store that is down has a code of its own (api.md §6, row 13). */
export class ConversionsAuthentication extends HttpApiMiddleware.Service<
  ConversionsAuthentication,
  { provides: CurrentCaller }
>()("@loopbox/adapters-http/api/ConversionsAuthentication", {
  security: { apiKey },
  error: errors("UNAUTHORIZED", "API_KEY_REQUIRED", "RATE_LIMITED", "media_processing_unavailable"),
  requiredForClient: true
}) {}

/** What allows a request to read a file's bytes: a workspace's key, the console's session, or a signed link to this file. */
export type ContentGrant =
  | { readonly _tag: "Key" | "Console"; readonly workspaceId: WorkspaceId }
  | { readonly _tag: "Link" }

export class CurrentContentGrant extends Context.Service<CurrentContentGrant, ContentGrant>()(
  "@loopbox/adapters-http/api/CurrentContentGrant"
) {}

/** An API key, or the signature in the URL. */
export class ContentAccess extends HttpApiMiddleware.Service<ContentAccess, { provides: CurrentContentGrant }>()(
  "@loopbox/adapters-http/api/ContentAccess",
  {
    security: { apiKey },
    error: errors("UNAUTHORIZED", "API_KEY_REQUIRED", "RATE_LIMITED", "TEMPORARILY_UNAVAILABLE"),
    requiredForClient: true
  }
) {}

/** The signature in an `upload_url`; no `Authorization`. */
export class UploadLink extends HttpApiMiddleware.Service<UploadLink>()("@loopbox/adapters-http/api/UploadLink", {
  error: errors("UNAUTHORIZED", "upload_expired")
}) {}

/** The host's admin token. */
export class AdminAuthentication extends HttpApiMiddleware.Service<AdminAuthentication>()(
  "@loopbox/adapters-http/api/AdminAuthentication",
  {
    security: { adminToken },
    error: errors("UNAUTHORIZED", "RATE_LIMITED"),
    requiredForClient: true
  }
) {}
