import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { errors } from "../ErrorBody.ts"
import { CurrentEntitlement } from "./InboxAuthorization.ts"

/** A thread that is absent is told before what is asked of it is judged (api.md §2): of a list, its query. */
export class ThreadPresence extends HttpApiMiddleware.Service<ThreadPresence, { requires: CurrentEntitlement }>()(
  "@loopbox/adapters-http/api/inbox/ThreadPresence",
  { error: errors("NOT_FOUND", "TEMPORARILY_UNAVAILABLE") }
) {}
