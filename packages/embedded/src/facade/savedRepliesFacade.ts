import * as Effect from "effect/Effect"
import type { InboxAccess } from "@loopbox/core/access/InboxAccess"
import type { SavedReplies } from "@loopbox/core/savedReplies/SavedReplies"
import type { SavedReply, SavedReplyContent } from "@loopbox/core/savedReplies/SavedReply"
import { type ListRequest, toPageRequest } from "./listRequest.ts"
import { type PlainPage, toPlainPage } from "./plain.ts"
import type { CallOptions, Run } from "./run.ts"
import { type Plain, toPlain } from "./toPlain.ts"
import { makeWithin, type PlainScope } from "./within.ts"

/** A text to answer with. `externalUserId` is the managed user in whose scope it was made; null: the workspace's. */
export interface PlainSavedReply extends Plain<SavedReply> {}

/**
 * Texts to answer with (api-2.md §14). A managed user's scope has only what was made in it; the workspace's has all. What is
 * not there rejects with `SavedReplyNotFound`, a blank or too long name or text with `SavedReplyInvalid`.
 */
export interface SavedRepliesFacade {
  /** Newest first. */
  readonly list: (
    scope: PlainScope,
    request?: ListRequest,
    options?: CallOptions
  ) => Promise<PlainPage<PlainSavedReply>>
  /** A name of 1 to 100 characters, a text of 1 to 10,000. */
  readonly create: (scope: PlainScope, content: SavedReplyContent, options?: CallOptions) => Promise<PlainSavedReply>
  /** What is left out stays. */
  readonly update: (
    scope: PlainScope,
    id: string,
    change: Partial<SavedReplyContent>,
    options?: CallOptions
  ) => Promise<PlainSavedReply>
  readonly delete: (scope: PlainScope, id: string, options?: CallOptions) => Promise<void>
}

const toPlainSavedReply = (reply: SavedReply): PlainSavedReply => toPlain(reply)

export const makeSavedRepliesFacade = (
  access: InboxAccess["Service"],
  savedReplies: SavedReplies["Service"],
  run: Run
): SavedRepliesFacade => {
  const within = makeWithin(access)
  return {
    list: (scope, request = {}, options) =>
      run(
        within(scope, (caller) =>
          Effect.map(
            Effect.flatMap(toPageRequest(request), (page) => savedReplies.list(caller, page)),
            (page) => toPlainPage(page, toPlainSavedReply)
          )
        ),
        options
      ),
    create: (scope, content, options) =>
      run(
        within(scope, (caller) => Effect.map(savedReplies.create(caller, content), toPlainSavedReply)),
        options
      ),
    update: (scope, id, change, options) =>
      run(
        within(scope, (caller) => Effect.map(savedReplies.update(caller, id, change), toPlainSavedReply)),
        options
      ),
    delete: (scope, id, options) =>
      run(
        within(scope, (caller) => savedReplies.remove(caller, id)),
        options
      )
  }
}
