import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { errors } from "./ErrorBody.ts"

/** Judges what media and conversions are asked: 422. */
export class MediaValidation extends HttpApiMiddleware.Service<MediaValidation>()(
  "@loopbox/adapters-http/api/MediaValidation",
  { error: errors("validation_error") }
) {}

/** Judges what the administration is asked: 400. */
export class AdminValidation extends HttpApiMiddleware.Service<AdminValidation>()(
  "@loopbox/adapters-http/api/AdminValidation",
  { error: errors("VALIDATION_ERROR") }
) {}

/** Judges what the inbox is asked: 400. */
export class InboxValidation extends HttpApiMiddleware.Service<InboxValidation>()(
  "@loopbox/adapters-http/api/InboxValidation",
  { error: errors("VALIDATION_ERROR") }
) {}
