import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { dataBody, pageBody } from "../DataBody.ts"
import { errors, jsonErrors } from "../ErrorBody.ts"
import { limitUpTo, listQuery, strictQuery } from "../ListQuery.ts"
import { InboxValidation } from "../Validation.ts"
import { InboxAuthorization } from "./InboxAuthorization.ts"
import { inboxQuery, scopeHeaders, scopeQuery, ThreadStateChange, TimeText } from "./InboxQuery.ts"
import { ItemBody, threadStatuses } from "./ItemBody.ts"
import { ThreadBody } from "./ThreadBody.ts"

/** What `GET /v1/inbox/threads` takes; anything else is refused by name. */
export const threadsQuery = {
  ...scopeQuery,
  cursor: listQuery.cursor,
  limit: Schema.optionalKey(limitUpTo(100)),
  source: inboxQuery.source,
  thread_status: Schema.optionalKey(
    Schema.Literals([...threadStatuses, "snoozed"]).annotate({
      description: "Snoozed threads are found by `snoozed` only."
    })
  ),
  assigned_to: Schema.optionalKey(
    inboxQuery.assigned_to.schema.annotate({ description: "Snoozed ones too; `none` asks for nobody's." })
  ),
  social_account_id: inboxQuery.social_account_id,
  is_unread: inboxQuery.is_read,
  q: Schema.optionalKey(
    inboxQuery.q.schema.annotate({
      description:
        "Threads with an item that has every word of it in its text or its author's name, the last one as the beginning " +
        "of a word; compared as `q` of `GET /v1/inbox` is."
    })
  )
}
export const ThreadsQuery = Schema.Struct(threadsQuery)
export type ThreadsQuery = typeof ThreadsQuery.Type

/** What a page of a thread's items takes. */
export const threadItemsQuery = {
  ...scopeQuery,
  cursor: listQuery.cursor,
  limit: Schema.optionalKey(limitUpTo(500)),
  order: Schema.optionalKey(
    Schema.Literals(["newest", "oldest"]).annotate({ description: "What comes first; `newest` unless said otherwise." })
  )
}

/** A thread's state, and until when it is out of sight. */
export const ThreadWorkChange = Schema.Struct({
  ...ThreadStateChange.fields,
  snoozed_until: Schema.optionalKey(
    Schema.NullOr(TimeText.annotate({ format: "date-time" })).annotate({
      description:
        "1 minute to 90 days ahead, with `open` or `assigned`; absent keeps it, null ends it, and so does `resolved`."
    })
  )
}).annotate({ examples: [{ thread_status: "open", snoozed_until: "2026-11-23T07:00:00.000Z" }] })

const params = { id: Schema.String }
const unavailable = errors("TEMPORARILY_UNAVAILABLE")
const absent = errors("NOT_FOUND", "TEMPORARILY_UNAVAILABLE")
const scope = { query: scopeQuery, headers: scopeHeaders }

/** `/v1/inbox/threads` (api-2.md §14). */
export class ThreadsApi extends HttpApiGroup.make("threads")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: threadsQuery,
      headers: scopeHeaders,
      success: pageBody(ThreadBody),
      error: unavailable
    })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotateMerge(
        OpenApi.annotations({
          summary: "List threads by their last item, newest first",
          description:
            "25 unless `limit` says otherwise. A thread that does not change during a walk is seen once; one that moves " +
            "to the top meanwhile twice or not at all. A short page is not the end; only `next_cursor: null` is."
        })
      ),
    HttpApiEndpoint.get("find", "/:id", {
      ...scope,
      params,
      success: dataBody(ThreadBody),
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Read a thread",
        description: "404 while it has no item, or its account is disconnected."
      })
    ),
    HttpApiEndpoint.get("items", "/:id/items", {
      params,
      query: threadItemsQuery,
      headers: scopeHeaders,
      success: pageBody(ItemBody),
      error: absent
    })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotateMerge(
        OpenApi.annotations({
          summary: "List a thread's items",
          description: "In either order. A cursor holds its thread and its order; `limit` may change."
        })
      ),
    HttpApiEndpoint.post("markRead", "/:id/read", {
      ...scope,
      params,
      success: dataBody(Schema.Struct({ marked: Schema.Int.annotate({ examples: [3] }) })),
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Mark a thread's items read",
        description: "It answers how many were not, and each of them is told by `inbox.item_updated`."
      })
    ),
    HttpApiEndpoint.post("setState", "/:id/state", {
      ...scope,
      params,
      payload: ThreadWorkChange,
      success: dataBody(ThreadBody),
      error: [...jsonErrors, ...absent]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Move a thread, or snooze it",
        description:
          "Any state may follow any; all items of the thread show it. A snoozed thread is in no list by status until its " +
          "time has come or somebody writes, and `inbox.thread_updated` tells so."
      })
    )
  )
  .prefix("/v1/inbox/threads")
  .middleware(InboxValidation)
  .middleware(InboxAuthorization)
  .annotate(OpenApi.Description, "Items that belong together, as records with their last item, counts and state.") {}
