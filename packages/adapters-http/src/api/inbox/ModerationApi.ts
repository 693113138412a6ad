import { batchActions } from "@loopbox/core/moderation/runBatch"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { dataBody } from "../DataBody.ts"
import { errorAt, errors, jsonErrors } from "../ErrorBody.ts"
import { InboxValidation } from "../Validation.ts"
import { InboxAuthorization } from "./InboxAuthorization.ts"
import { scopeHeaders, scopeQuery } from "./InboxQuery.ts"
import { ItemBody } from "./ItemBody.ts"

const mostIds = 100

/** What a batch is asked to do. */
export const BatchBody = Schema.Struct({
  ids: Schema.Array(Schema.String).check(
    Schema.makeFilter((ids: ReadonlyArray<string>) =>
      ids.length >= 1 && ids.length <= mostIds ? undefined : `must name 1 to ${mostIds} items`
    )
  ),
  action: Schema.Literals(batchActions)
}).annotate({ examples: [{ ids: ["itm_01k9j8n3q5s7u9w1y3a5c7e9g1"], action: "hide" }] })

/** What became of each id of a batch. */
export const BatchResultBody = Schema.Struct({
  results: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      status: Schema.Literals(["done", "not_found", "refused"]),
      code: Schema.NullOr(Schema.String).annotate({
        description:
          "Null when it is done. What was not possible: `details.reason` of `ACTION_NOT_AVAILABLE`, the code of the " +
          "error, or `NOT_ATTEMPTED` when the 25 seconds of the request were over."
      })
    })
  )
}).annotate({
  examples: [
    {
      results: [
        { id: "itm_01k9j8n3q5s7u9w1y3a5c7e9g1", status: "done", code: null },
        { id: "itm_01k9j8n3q5s7u9w1y3a5c7e9g2", status: "refused", code: "own_item" }
      ]
    }
  ]
})

const params = { id: Schema.String }
const scope = { query: scopeQuery, headers: scopeHeaders }
const absent = errors("NOT_FOUND", "TEMPORARILY_UNAVAILABLE")

const acted = [
  ...errors(
    "NOT_FOUND",
    "ACTION_NOT_AVAILABLE",
    "X_RECONNECT_REQUIRED",
    "PLATFORM_ERROR",
    "PLATFORM_RATE_LIMITED",
    "TEMPORARILY_UNAVAILABLE"
  ),
  errorAt(502, "PLATFORM_ERROR")
]

const act = { ...scope, params, success: dataBody(ItemBody), error: acted }

const outcomes =
  "What is so already is answered without a call. An answer of the network that is lost is asked for again, for up to " +
  "20 seconds: the effect is one, however often it is done.\n\n" +
  "| | |\n|---|---|\n" +
  "| 409 `ACTION_NOT_AVAILABLE` | it is not among the item's `capabilities`; `details.reason` says why |\n" +
  "| 409 `X_RECONNECT_REQUIRED` | the account must be connected again |\n" +
  "| 422 `PLATFORM_ERROR` | the network refused it |\n" +
  "| 429 `PLATFORM_RATE_LIMITED` | the network limits the rate, or would lock the account out; `Retry-After` |\n" +
  "| 502 `PLATFORM_ERROR` | the network could not be asked, or did not say what it did; ask again |"

const about = (summary: string, description: string) =>
  OpenApi.annotations({ summary, description: `${description}\n\n${outcomes}` })

/** Handling what others wrote: `/v1/inbox` (api-2.md §13). */
export class ModerationApi extends HttpApiGroup.make("moderation")
  .add(
    HttpApiEndpoint.post("batch", "/batch", {
      ...scope,
      payload: BatchBody,
      success: dataBody(BatchResultBody),
      error: [...jsonErrors, ...errors("TEMPORARILY_UNAVAILABLE")]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Do the same with up to 100 items",
        description:
          "Each id has its result, in the order in which they were given. Answered within 25 seconds; what was not " +
          "done until then is `refused`, `NOT_ATTEMPTED`, and may be asked for again."
      })
    ),
    HttpApiEndpoint.post("hide", "/:id/hide", act).annotateMerge(
      about(
        "Hide an item on its network",
        "It stays listed here. Whom a network hides it from differs: on Facebook its author and their friends still " +
          "see it, on Instagram its author does; X puts it behind “hidden replies”, Threads folds it away."
      )
    ),
    HttpApiEndpoint.post("unhide", "/:id/unhide", act).annotateMerge(
      about("Show a hidden item again", "The reverse of hiding it.")
    ),
    HttpApiEndpoint.post("like", "/:id/like", act).annotateMerge(
      about(
        "Like an item in the account's name",
        "Facebook, Instagram accounts that Facebook's login connected, and X where the app's contract has it."
      )
    ),
    HttpApiEndpoint.post("unlike", "/:id/unlike", act).annotateMerge(
      about("Take a like back", "The reverse of liking it.")
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      ...scope,
      params,
      success: HttpApiSchema.NoContent,
      error: acted
    }).annotateMerge(
      about(
        "Delete an item on its network",
        "It can't be brought back. The item is gone here, too: `inbox.item_deleted`; a second request is 404. One that " +
          "the network no longer has is deleted here. Threads and X delete only what the account wrote."
      )
    ),
    HttpApiEndpoint.post("markUnread", "/:id/unread", {
      ...scope,
      params,
      success: HttpApiSchema.NoContent,
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Mark an item unread",
        description: "204 also where it is so already, and for an item that the account wrote, which stays read."
      })
    )
  )
  .prefix("/v1/inbox")
  .middleware(InboxValidation)
  .middleware(InboxAuthorization)
  .annotate(OpenApi.Description, "Hiding, liking, deleting and answering privately what others wrote.") {}
