import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { errors } from "../ErrorBody.ts"
import { accessCodes, credential, CurrentEntitlement } from "../inbox/InboxAuthorization.ts"

/** Rows 1–3 of api.md §2 where only the workspace's scope is taken (api-2-decided B1). */
export class EndpointsAuthorization extends HttpApiMiddleware.Service<
  EndpointsAuthorization,
  { provides: CurrentEntitlement }
>()("@loopbox/adapters-http/api/endpoints/EndpointsAuthorization", {
  security: { credential },
  error: errors(...accessCodes),
  requiredForClient: true
}) {}
