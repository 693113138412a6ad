import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { dataBody, pageBody } from "../DataBody.ts"
import { errors, jsonErrors } from "../ErrorBody.ts"
import { InboxAuthorization } from "./InboxAuthorization.ts"
import { inboxQuery, scopeHeaders, scopeQuery, ThreadStateChange } from "./InboxQuery.ts"
import { ItemBody } from "./ItemBody.ts"
import { strictQuery } from "../ListQuery.ts"
import { InboxValidation } from "../Validation.ts"

const params = { id: Schema.String }
const unavailable = errors("TEMPORARILY_UNAVAILABLE")
const absent = errors("NOT_FOUND", "TEMPORARILY_UNAVAILABLE")
const scope = { query: scopeQuery, headers: scopeHeaders }

/** `/v1/inbox` (§4.2, api.md §3). */
export class InboxApi extends HttpApiGroup.make("inbox")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: inboxQuery,
      headers: scopeHeaders,
      success: pageBody(ItemBody),
      error: unavailable
    })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotateMerge(
        OpenApi.annotations({
          summary: "List items, newest first",
          description:
            "A short page is not the end; only `next_cursor: null` is. A cursor holds its scope and its filters; " +
            "`limit` may change."
        })
      ),
    HttpApiEndpoint.get("countUnread", "/unread-count", {
      ...scope,
      success: dataBody(Schema.Struct({ count: Schema.Int.annotate({ examples: [16] }) })),
      error: unavailable
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Count what is unread and not own",
        description: "Of the sources that the plan has. Items that the account wrote itself are never unread."
      })
    ),
    HttpApiEndpoint.post("markAllRead", "/mark-all-read", {
      ...scope,
      success: dataBody(Schema.Struct({ marked: Schema.Int.annotate({ examples: [11] }) })),
      error: unavailable
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Mark everything read that was stored when the request began",
        description: "Items that come in while it runs stay unread. It answers how many it changed."
      })
    ),
    HttpApiEndpoint.get("find", "/:id", {
      ...scope,
      params,
      success: dataBody(ItemBody),
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read an item",
        description: "With the state of its thread, as the scope of the request sees it."
      })
    ),
    HttpApiEndpoint.post("markRead", "/:id/read", {
      ...scope,
      params,
      success: HttpApiSchema.NoContent,
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Mark an item read",
        description: "204 also where it was read already. A body is ignored."
      })
    ),
    HttpApiEndpoint.post("setThreadState", "/:id/thread-state", {
      ...scope,
      params,
      payload: ThreadStateChange,
      success: dataBody(ItemBody),
      error: [...jsonErrors, ...absent]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Move an item's thread",
        description: "Any state may follow any; all items of the thread show it."
      })
    )
  )
  .prefix("/v1/inbox")
  .middleware(InboxValidation)
  .middleware(InboxAuthorization)
  .annotate(OpenApi.Description, "Comments, replies and direct messages of the connected accounts.") {}
