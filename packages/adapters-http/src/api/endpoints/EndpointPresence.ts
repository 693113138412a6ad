import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { errors } from "../ErrorBody.ts"
import { CurrentEntitlement } from "../inbox/InboxAuthorization.ts"

/** A webhook endpoint that is absent is told before the query of a list of its is judged (api.md §2). */
export class EndpointPresence extends HttpApiMiddleware.Service<EndpointPresence, { requires: CurrentEntitlement }>()(
  "@loopbox/adapters-http/api/endpoints/EndpointPresence",
  { error: errors("NOT_FOUND", "TEMPORARILY_UNAVAILABLE") }
) {}
