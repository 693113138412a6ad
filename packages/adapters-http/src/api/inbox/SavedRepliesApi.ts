import {
  isSavedReplyName,
  isSavedReplyText,
  maxSavedReplyName,
  maxSavedReplyText,
  type SavedReply
} from "@loopbox/core/savedReplies/SavedReply"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { dataBody, pageBody, Time } from "../DataBody.ts"
import { errors, jsonErrors } from "../ErrorBody.ts"
import { toIsoText } from "../isoText.ts"
import { listQuery, strictQuery } from "../ListQuery.ts"
import { textWith } from "../storableText.ts"
import { InboxValidation } from "../Validation.ts"
import { InboxAuthorization } from "./InboxAuthorization.ts"
import { scopeHeaders, scopeQuery } from "./InboxQuery.ts"

/** What is said of a name or a text that can't be kept. */
export const savedReplyLimits = {
  name: `must have 1 to ${maxSavedReplyName} characters, not only spaces`,
  text: `must have 1 to ${maxSavedReplyText} characters, not only spaces`
} as const

const content = {
  name: textWith(isSavedReplyName, savedReplyLimits.name).annotate({
    description: "How people find it; several may have the same."
  }),
  text: textWith(isSavedReplyText, savedReplyLimits.text).annotate({ description: "Kept as given." })
}

const example = { name: "Opening hours", text: "We are open from Monday to Friday, 9 to 18." }

/** A new saved reply. */
export const NewSavedReplyBody = Schema.Struct(content).annotate({ examples: [example] })

/** What is left out stays. */
export const SavedReplyChangeBody = Schema.Struct({
  name: Schema.optionalKey(content.name),
  text: Schema.optionalKey(content.text)
}).annotate({ examples: [{ text: example.text }] })

/** A text to answer with. */
export const SavedReplyBody = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  text: Schema.String,
  external_user_id: Schema.NullOr(Schema.String).annotate({
    description: "The managed user in whose scope it was made; null: it is the workspace's."
  }),
  created_at: Time,
  updated_at: Time
}).annotate({
  identifier: "SavedReply",
  examples: [
    {
      id: "srp_01k9j8n3q5s7u9w1y3a5c7e9g1",
      ...example,
      external_user_id: null,
      created_at: "2026-11-21T07:00:00.000Z",
      updated_at: "2026-11-21T07:00:00.000Z"
    }
  ]
})

export const toSavedReplyBody = (reply: SavedReply): typeof SavedReplyBody.Type => ({
  id: reply.id,
  name: reply.name,
  text: reply.text,
  external_user_id: Option.getOrNull(reply.externalUserId),
  created_at: toIsoText(reply.createdAt),
  updated_at: toIsoText(reply.updatedAt)
})

const params = { id: Schema.String }
const scope = { query: scopeQuery, headers: scopeHeaders }
const unavailable = errors("TEMPORARILY_UNAVAILABLE")
const absent = errors("NOT_FOUND", "TEMPORARILY_UNAVAILABLE")

/** `/v1/inbox/saved-replies` (api-2.md §14). */
export class SavedRepliesApi extends HttpApiGroup.make("savedReplies")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...scopeQuery, ...listQuery },
      headers: scopeHeaders,
      success: pageBody(SavedReplyBody),
      error: unavailable
    })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotateMerge(
        OpenApi.annotations({
          summary: "List saved replies, newest first",
          description: "A managed user's scope has only what was made in it; the workspace's has all of them."
        })
      ),
    HttpApiEndpoint.post("create", "/", {
      ...scope,
      payload: NewSavedReplyBody,
      success: dataBody(SavedReplyBody, 201),
      error: [...jsonErrors, ...absent]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Save a text to answer with",
        description:
          "It belongs to the scope in which it was made, and is erased with its managed user. Nothing is sent: give its " +
          "text to `POST /v1/inbox/{id}/reply`."
      })
    ),
    HttpApiEndpoint.patch("update", "/:id", {
      ...scope,
      params,
      payload: SavedReplyChangeBody,
      success: dataBody(SavedReplyBody),
      error: [...jsonErrors, ...absent]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change a saved reply",
        description: "What is left out stays. What was sent with it before stays as it was."
      })
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      ...scope,
      params,
      success: HttpApiSchema.NoContent,
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a saved reply",
        description: "A second request is 404."
      })
    )
  )
  .prefix("/v1/inbox/saved-replies")
  .middleware(InboxValidation)
  .middleware(InboxAuthorization)
  .annotate(OpenApi.Description, "Texts that people answer with again and again.") {}
