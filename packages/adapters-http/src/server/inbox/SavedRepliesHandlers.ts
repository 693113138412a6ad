import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { SavedReplies } from "@loopbox/core/savedReplies/SavedReplies"
import type { SavedReplyInvalid } from "@loopbox/core/savedReplies/SavedReplyErrors"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../api/Api.ts"
import { CurrentEntitlement } from "../../api/inbox/InboxAuthorization.ts"
import {
  NewSavedReplyBody,
  SavedReplyBody,
  SavedReplyChangeBody,
  savedReplyLimits,
  toSavedReplyBody
} from "../../api/inbox/SavedRepliesApi.ts"
import { answerPage, Cursors } from "../edge/Cursors.ts"
import { listUse, scopeText } from "../edge/listUse.ts"
import { placesOf } from "../edge/issues.ts"
import { jsonRefusals, readJson } from "../edge/readJson.ts"
import { answer, refuse } from "../edge/refuse.ts"
import { refuseStore } from "../edge/storeRefusals.ts"
import { plainRequestRefusal, refusePlainRequest } from "../edge/Validation.ts"
import { listRefusals } from "./inboxRefusals.ts"

/** What is in answers about a text. */
const answers = placesOf(SavedReplyBody)

const removeRefusals = {
  SavedReplyNotFound: () => refuse("NOT_FOUND", "There is no such saved reply in this scope."),
  StoreUnavailable: refuseStore
}

const contentRefusals = {
  ...jsonRefusals,
  ...plainRequestRefusal,
  SavedReplyInvalid: ({ members }: SavedReplyInvalid) =>
    refusePlainRequest(members.map((path) => ({ path, message: savedReplyLimits[path] }))),
  StoreUnavailable: refuseStore
}

const createRefusals = {
  ...contentRefusals,
  SavedReplyOwnerGone: () => refuse("NOT_FOUND", "Whoever it would belong to was erased meanwhile.")
}

const updateRefusals = { ...contentRefusals, ...removeRefusals }

const useOf = ({ scope }: EntitledCaller, query: object) =>
  listUse("saved-replies", scope.workspaceId, query, [
    scopeText(scope._tag === "WorkspaceScope" ? undefined : scope.externalUserId)
  ])

export const layer = HttpApiBuilder.group(
  Api,
  "savedReplies",
  Effect.fnUntraced(function* (handlers) {
    const savedReplies = yield* SavedReplies
    const cursors = yield* Cursors
    return handlers
      .handleRaw(
        "create",
        Effect.fnUntraced(function* () {
          const caller = yield* CurrentEntitlement
          return yield* answer(
            toSavedReplyBody(yield* savedReplies.create(caller, yield* readJson(NewSavedReplyBody, { answers })))
          )
        }, Effect.catchTags(createRefusals))
      )
      .handleRaw(
        "update",
        Effect.fnUntraced(function* ({ params }) {
          const caller = yield* CurrentEntitlement
          // Before the body is looked at: another's is absent, whatever is asked of it (api.md §2).
          yield* savedReplies.find(caller, params.id)
          const change = yield* readJson(SavedReplyChangeBody, { answers })
          return yield* answer(toSavedReplyBody(yield* savedReplies.update(caller, params.id, change)))
        }, Effect.catchTags(updateRefusals))
      )
      .handleAll({
        list: Effect.fnUntraced(function* ({ query }) {
          const caller = yield* CurrentEntitlement
          return yield* answerPage(
            cursors,
            useOf(caller, query),
            query,
            (page) => savedReplies.list(caller, page),
            toSavedReplyBody
          )
        }, Effect.catchTags(listRefusals)),
        remove: Effect.fnUntraced(function* ({ params }) {
          yield* savedReplies.remove(yield* CurrentEntitlement, params.id)
        }, Effect.catchTags(removeRefusals))
      })
  })
)
