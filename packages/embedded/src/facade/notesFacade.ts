import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { InboxAccess } from "@loopbox/core/access/InboxAccess"
import type { ThreadNote } from "@loopbox/core/items/threading/ThreadNote"
import type { Threads } from "@loopbox/core/threads/Threads"
import { type ListRequest, toPageRequest } from "./listRequest.ts"
import { type PlainPage, toPlainPage } from "./plain.ts"
import type { CallOptions, Run } from "./run.ts"
import { type Plain, toPlain } from "./toPlain.ts"
import { makeWithin, type PlainScope } from "./within.ts"

/** A note on a thread. */
export interface PlainNote extends Plain<ThreadNote> {}

/**
 * What people who work on a thread tell each other about it (api-2.md §14); it never goes to a network. A thread that is not
 * in the scope rejects with `ThreadNotFound`, a blank or too long text or author with `NoteInvalid`.
 */
export interface NotesFacade {
  /** The oldest first. */
  readonly list: (
    scope: PlainScope,
    threadId: string,
    request?: ListRequest,
    options?: CallOptions
  ) => Promise<PlainPage<PlainNote>>
  /** A text of 1 to 10,000 characters, an author of 1 to 100. */
  readonly create: (
    scope: PlainScope,
    threadId: string,
    note: { readonly text: string; readonly author?: string | null | undefined },
    options?: CallOptions
  ) => Promise<PlainNote>
  /** One that is not there rejects with `NoteNotFound`. */
  readonly delete: (scope: PlainScope, threadId: string, noteId: string, options?: CallOptions) => Promise<void>
}

const toPlainNote = (note: ThreadNote): PlainNote => toPlain(note)

export const makeNotesFacade = (access: InboxAccess["Service"], threads: Threads["Service"], run: Run): NotesFacade => {
  const within = makeWithin(access)
  return {
    list: (scope, threadId, request = {}, options) =>
      run(
        within(scope, (caller) =>
          Effect.map(
            Effect.flatMap(toPageRequest(request), (page) => threads.notes(caller, threadId, page)),
            (page) => toPlainPage(page, toPlainNote)
          )
        ),
        options
      ),
    create: (scope, threadId, { author, text }, options) =>
      run(
        within(scope, (caller) =>
          Effect.map(threads.addNote(caller, threadId, { text, author: Option.fromNullishOr(author) }), toPlainNote)
        ),
        options
      ),
    delete: (scope, threadId, noteId, options) =>
      run(
        within(scope, (caller) => threads.removeNote(caller, threadId, noteId)),
        options
      )
  }
}
