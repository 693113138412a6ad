import { labelLimits } from "@loopbox/core/threads/judgeLabels"
import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { dataBody, pageBody } from "../DataBody.ts"
import { errors, jsonErrors } from "../ErrorBody.ts"
import { limitUpTo, listQuery, strictQuery } from "../ListQuery.ts"
import { textWith } from "../storableText.ts"
import { InboxValidation } from "../Validation.ts"
import { InboxAuthorization } from "./InboxAuthorization.ts"
import { inboxQuery, scopeHeaders, scopeQuery, text, ThreadStateChange, TimeText } from "./InboxQuery.ts"
import { ItemBody, threadStatuses } from "./ItemBody.ts"
import { ThreadBody } from "./ThreadBody.ts"
import { ThreadPresence } from "./ThreadPresence.ts"

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
        "Threads with an item that has every word of it in its text or its author's name, or with a note that has every " +
        "word, the last one as the beginning of a word; compared as `q` of `GET /v1/inbox` is."
    })
  ),
  label: Schema.optionalKey(
    text(labelLimits.characters).annotate({
      description: "Threads that have it, however it is spelled: case does not count."
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

/** A thread's labels, all of them. */
export const ThreadLabels = Schema.Struct({
  labels: Schema.Array(
    textWith(
      (given) => given.trim() !== "" && Array.from(given).length <= labelLimits.characters,
      `must have 1 to ${labelLimits.characters} characters, and not only spaces`
    )
  )
    .check(Schema.isMaxLength(labelLimits.count))
    .annotate({ description: "At most 20, which are kept as given; of those that differ in case only, the first." })
}).annotate({ examples: [{ labels: ["refund", "VIP"] }] })

const LabelBody = Schema.Struct({
  label: Schema.String.annotate({ description: "As it was spelled first." }),
  open_threads: Schema.Int.annotate({ description: "Threads that have it and are not resolved; snoozed ones too." })
}).annotate({ identifier: "Label", examples: [{ label: "refund", open_threads: 4 }] })

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
      )
      .middleware(ThreadPresence),
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
    ),
    HttpApiEndpoint.put("setLabels", "/:id/labels", {
      ...scope,
      params,
      payload: ThreadLabels,
      success: dataBody(ThreadBody),
      error: [...jsonErrors, ...absent]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Give a thread its labels",
        description: "In place of those that it has; none take all away. `inbox.thread_updated` tells what changes."
      })
    )
  )
  .prefix("/v1/inbox/threads")
  .middleware(InboxValidation)
  .middleware(InboxAuthorization)
  .annotate(OpenApi.Description, "Items that belong together, as records with their last item, counts and state.") {}

/** `/v1/inbox/labels` (api-2.md §14). */
export class LabelsApi extends HttpApiGroup.make("labels")
  .add(
    HttpApiEndpoint.get("list", "/", {
      ...scope,
      success: pageBody(LabelBody),
      error: unavailable
    })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotateMerge(
        OpenApi.annotations({
          summary: "List labels",
          description:
            "Of the scope's threads, the most used by open ones first; 1,000 at most, on one page. A label that no thread has is " +
            "none."
        })
      )
  )
  .prefix("/v1/inbox/labels")
  .middleware(InboxValidation)
  .middleware(InboxAuthorization)
  .annotate(OpenApi.Description, "What threads are sorted by.") {}
