import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import type { NoteInvalid } from "@loopbox/core/threads/ThreadErrors"
import { Threads } from "@loopbox/core/threads/Threads"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../api/Api.ts"
import { CurrentEntitlement } from "../../api/inbox/InboxAuthorization.ts"
import { NewNoteBody, noteRules, toNoteBody } from "../../api/inbox/NotesApi.ts"
import { answerPage, Cursors } from "../edge/Cursors.ts"
import { listUse, scopeText } from "../edge/listUse.ts"
import { jsonRefusals, readJson } from "../edge/readJson.ts"
import { answer, refuse } from "../edge/refuse.ts"
import { plainRequestRefusal, refusePlainRequest } from "../edge/Validation.ts"
import { listRefusals, threadFindRefusals } from "./inboxRefusals.ts"

const createRefusals = {
  ...jsonRefusals,
  ...plainRequestRefusal,
  ...threadFindRefusals,
  NoteInvalid: ({ members }: NoteInvalid) =>
    refusePlainRequest(members.map((path) => ({ path, message: noteRules[path] })))
}

const removeRefusals = {
  ...threadFindRefusals,
  NoteNotFound: () => refuse("NOT_FOUND", "There is no such note on this thread.")
}

const useOf = ({ scope }: EntitledCaller, threadId: string, query: object) =>
  listUse("notes", scope.workspaceId, query, [
    scopeText(scope._tag === "WorkspaceScope" ? undefined : scope.externalUserId),
    threadId
  ])

export const layer = HttpApiBuilder.group(
  Api,
  "notes",
  Effect.fnUntraced(function* (handlers) {
    const threads = yield* Threads
    const cursors = yield* Cursors
    return handlers
      .handleRaw(
        "create",
        Effect.fnUntraced(function* ({ params }) {
          const caller = yield* CurrentEntitlement
          // Before the body is looked at: another's thread is absent, whatever is asked of it (api.md §2).
          yield* threads.find(caller, params.id)
          const { author, text } = yield* readJson(NewNoteBody)
          const note = yield* threads.addNote(caller, params.id, { text, author: Option.fromNullishOr(author) })
          return yield* answer(toNoteBody(note))
        }, Effect.catchTags(createRefusals))
      )
      .handleAll({
        list: Effect.fnUntraced(
          function* ({ params, query }) {
            const caller = yield* CurrentEntitlement
            return yield* answerPage(
              cursors,
              useOf(caller, params.id, query),
              query,
              (page) => threads.notes(caller, params.id, page),
              toNoteBody
            ).pipe(Effect.tapErrorTag("InvalidRequest", () => threads.find(caller, params.id)))
          },
          Effect.catchTags({ ...listRefusals, ...threadFindRefusals })
        ),
        remove: Effect.fnUntraced(function* ({ params }) {
          yield* threads.removeNote(yield* CurrentEntitlement, params.id, params.note_id)
        }, Effect.catchTags(removeRefusals))
      })
  })
)
