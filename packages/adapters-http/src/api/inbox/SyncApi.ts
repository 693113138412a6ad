import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { dataBody } from "../DataBody.ts"
import { errorAt, errors, jsonErrors } from "../ErrorBody.ts"
import { InboxAuthorization } from "./InboxAuthorization.ts"
import { scopeHeaders, scopeQuery } from "./InboxQuery.ts"
import { ConfirmationBody, SyncBody, SyncRequest } from "./SyncBody.ts"
import { InboxValidation } from "../Validation.ts"

const absent = errors("NOT_FOUND", "TEMPORARILY_UNAVAILABLE")
const scope = { query: scopeQuery, headers: scopeHeaders }

/** `/v1/inbox/sync` (api.md §3). */
export class SyncApi extends HttpApiGroup.make("sync")
  .add(
    HttpApiEndpoint.post("start", "/", {
      ...scope,
      payload: [HttpApiSchema.NoContent, SyncRequest],
      success: dataBody(Schema.Union([SyncBody, ConfirmationBody])),
      // The first that fits is answered: 409 is made by hand (server/syncRefusals.ts).
      error: [...errors("VALIDATION_ERROR"), ...jsonErrors, ...absent, errorAt(409, "VALIDATION_ERROR")]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Poll the networks now, or read a bounded past of X",
        description:
          "Every account of the scope is polled, or told why not; two syncs of one account at a time are one. It " +
          "answers within 25 seconds, and goes on by itself with what is left. A backfill that may read more posts " +
          "than the host allows unasked reads nothing and answers with a token that confirms it, once and for ten " +
          "minutes. A token of another scope is 400, one that has expired or was given for another input 409."
      })
    ),
    HttpApiEndpoint.get("find", "/:id", {
      ...scope,
      params: { id: Schema.String },
      success: dataBody(SyncBody),
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read a sync as it is now",
        description: "While it is `in_progress` it tells of the accounts that are done so far."
      })
    )
  )
  .prefix("/v1/inbox/sync")
  .middleware(InboxValidation)
  .middleware(InboxAuthorization)
  .annotate(OpenApi.Description, "Polls of the connected accounts, and backfills of X.") {}
