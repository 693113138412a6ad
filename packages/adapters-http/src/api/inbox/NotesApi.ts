import { isNoteAuthor, isNoteText, noteLimits, type ThreadNote } from "@loopbox/core/items/threading/ThreadNote"
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
import { ThreadPresence } from "./ThreadPresence.ts"

/** What is said of a text or an author that can't be kept. */
export const noteRules = {
  text: `must have 1 to ${noteLimits.text} characters, not only spaces`,
  author: `must have 1 to ${noteLimits.author} characters, not only spaces`
} as const

/** A new note. */
export const NewNoteBody = Schema.Struct({
  text: textWith(isNoteText, noteRules.text).annotate({ description: "Kept as given." }),
  author: Schema.optionalKey(
    Schema.NullOr(textWith(isNoteAuthor, noteRules.author)).annotate({
      description: "Who wrote it; with a dashboard token its user, unless said otherwise."
    })
  )
}).annotate({ examples: [{ text: "Ask the warehouse first.", author: "kim" }] })

/** A note on a thread, on the wire (api-2.md §14). */
export const NoteBody = Schema.Struct({
  id: Schema.String,
  thread_id: Schema.String,
  text: Schema.String,
  author: Schema.NullOr(Schema.String),
  created_at: Time
}).annotate({
  identifier: "Note",
  examples: [
    {
      id: "note_01k9j8n3q5s7u9w1y3a5c7e9g1",
      thread_id: "thr_5k9j8n3q5s7t9w1y3a5c7e9g1h",
      text: "Ask the warehouse first.",
      author: "kim",
      created_at: "2026-11-21T07:00:00.000Z"
    }
  ]
})

export const toNoteBody = (note: ThreadNote): typeof NoteBody.Type => ({
  id: note.id,
  thread_id: note.threadId,
  text: note.text,
  author: Option.getOrNull(note.author),
  created_at: toIsoText(note.createdAt)
})

const absent = errors("NOT_FOUND", "TEMPORARILY_UNAVAILABLE")

/** `/v1/inbox/threads/{id}/notes` (api-2.md §14). */
export class NotesApi extends HttpApiGroup.make("notes")
  .add(
    HttpApiEndpoint.get("list", "/:id/notes", {
      params: { id: Schema.String },
      query: { ...scopeQuery, ...listQuery },
      headers: scopeHeaders,
      success: pageBody(NoteBody),
      error: absent
    })
      .annotate(HttpApi.QueryParseOptions, strictQuery)
      .annotateMerge(
        OpenApi.annotations({
          summary: "List a thread's notes, oldest first",
          description: "What people who work on it told each other. A cursor holds its thread."
        })
      )
      .middleware(ThreadPresence),
    HttpApiEndpoint.post("create", "/:id/notes", {
      params: { id: Schema.String },
      query: scopeQuery,
      headers: scopeHeaders,
      payload: NewNoteBody,
      success: dataBody(NoteBody, 201),
      error: [...jsonErrors, ...absent]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Note something on a thread",
        description: "It is never sent to a network, and is erased with its account. `inbox.note_added` tells it."
      })
    ),
    HttpApiEndpoint.delete("remove", "/:id/notes/:note_id", {
      params: { id: Schema.String, note_id: Schema.String },
      query: scopeQuery,
      headers: scopeHeaders,
      success: HttpApiSchema.NoContent,
      error: absent
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a note",
        description: "`inbox.note_deleted` tells it. A second request is 404."
      })
    )
  )
  .prefix("/v1/inbox/threads")
  .middleware(InboxValidation)
  .middleware(InboxAuthorization)
  .annotate(OpenApi.Description, "What people who work on a thread tell each other about it.") {}
