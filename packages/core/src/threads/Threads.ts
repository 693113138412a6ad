import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { EntitledCaller } from "../access/EntitledCaller.ts"
import { CurrentActor } from "../audit/Actor.ts"
import { nextThreadNoteId, ThreadId, ThreadNoteId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { decideMove } from "../items/decideMove.ts"
import type { ThreadMove } from "../items/Thread.ts"
import type { AssigneeInvalid, AssigneeNotAllowed } from "../items/ThreadErrors.ts"
import { isNoteAuthor, isNoteText, type ThreadNote } from "../items/threading/ThreadNote.ts"
import type { InboxThread } from "../items/threading/InboxThread.ts"
import { judgeAssignee, judgeSnooze } from "./judgeMove.ts"
import { judgeLabels, type LabelCount, listedLabels } from "./judgeLabels.ts"
import { type LabelsInvalid, NoteInvalid, NoteNotFound, type SnoozeInvalid, ThreadNotFound } from "./ThreadErrors.ts"
import {
  type ThreadItems,
  type ThreadItemsQuery,
  type ThreadPage,
  type ThreadQuery,
  ThreadStore
} from "./ThreadStore.ts"
import { traced } from "../kernel/traced.ts"

/** Items that one transaction marks: each is written to an event with all of its fields. */
const markedAtOnce = 200

/** Driving service: threads as records, for a caller whose scope and plan were checked (api-2.md §14). */
export class Threads extends Context.Service<
  Threads,
  {
    /** By the last item, newest first. */
    readonly list: (caller: EntitledCaller, query: ThreadQuery) => Effect.Effect<ThreadPage, StoreUnavailable>
    /** A thread outside of the scope or without an item, and a malformed id, count as not found. */
    readonly find: (caller: EntitledCaller, id: string) => Effect.Effect<InboxThread, ThreadNotFound | StoreUnavailable>
    readonly items: (
      caller: EntitledCaller,
      id: string,
      query: ThreadItemsQuery
    ) => Effect.Effect<ThreadItems, ThreadNotFound | StoreUnavailable>
    /** Marks every item of the thread read, in batches. Returns how many were not. Safe to repeat after an interruption. */
    readonly markRead: (caller: EntitledCaller, id: string) => Effect.Effect<number, ThreadNotFound | StoreUnavailable>
    /** Changes the state, and how long the thread is out of sight: 1 minute to 90 days. */
    readonly setState: (
      caller: EntitledCaller,
      id: string,
      move: ThreadMove
    ) => Effect.Effect<
      InboxThread,
      ThreadNotFound | AssigneeNotAllowed | AssigneeInvalid | SnoozeInvalid | StoreUnavailable
    >
    /** Gives a thread these labels in place of its own: at most 20 of 1–50 characters, compared without case. */
    readonly setLabels: (
      caller: EntitledCaller,
      id: string,
      labels: ReadonlyArray<string>
    ) => Effect.Effect<InboxThread, ThreadNotFound | LabelsInvalid | StoreUnavailable>
    /** The 1,000 labels that most open threads of the scope have. */
    readonly labels: (caller: EntitledCaller) => Effect.Effect<ReadonlyArray<LabelCount>, StoreUnavailable>
    /** Adds a note, by whoever is named, else by the member who asks. Nothing is sent. */
    readonly addNote: (
      caller: EntitledCaller,
      id: string,
      note: { readonly text: string; readonly author: Option.Option<string> }
    ) => Effect.Effect<ThreadNote, ThreadNotFound | NoteInvalid | StoreUnavailable>
    /** The oldest first. */
    readonly notes: (
      caller: EntitledCaller,
      id: string,
      page: PageRequest
    ) => Effect.Effect<Page<ThreadNote>, ThreadNotFound | StoreUnavailable>
    readonly removeNote: (
      caller: EntitledCaller,
      id: string,
      noteId: string
    ) => Effect.Effect<void, ThreadNotFound | NoteNotFound | StoreUnavailable>
  }
>()("@loopbox/core/threads/Threads") {
  static readonly layer: Layer.Layer<Threads, never, ThreadStore | SecureRandom> = Layer.effect(
    Threads,
    Effect.suspend(() => make)
  )
}

const isThreadId = Schema.is(ThreadId)
const isNoteId = Schema.is(ThreadNoteId)

/** What a store has of a thread, if its id can be one. */
const ofThread = <A, E>(
  id: string,
  find: (id: ThreadId) => Effect.Effect<Option.Option<A>, E>
): Effect.Effect<A, E | ThreadNotFound> =>
  Effect.flatMap(isThreadId(id) ? find(id) : Effect.succeedNone, (found) =>
    Option.isSome(found) ? Effect.succeed(found.value) : Effect.fail(new ThreadNotFound({ threadId: id }))
  )

const make = Effect.gen(function* () {
  const store = yield* ThreadStore
  const random = yield* SecureRandom

  const find = (caller: EntitledCaller, id: string) => ofThread(id, (one) => store.find(caller, one))

  const markRead = Effect.fn("Threads.markRead")(function* (caller: EntitledCaller, id: string) {
    const now = yield* DateTime.now
    let marked = 0
    let batch: number
    do {
      batch = yield* ofThread(id, (one) => store.markRead(caller, one, markedAtOnce, now))
      marked += batch
    } while (batch >= markedAtOnce)
    return marked
  })

  const setState = Effect.fn("Threads.setState")(function* (caller: EntitledCaller, id: string, asked: ThreadMove) {
    const now = yield* DateTime.now
    yield* find(caller, id)
    const move = yield* judgeAssignee(asked)
    yield* judgeSnooze(move, now)
    return yield* ofThread(id, (one) =>
      store.change(caller, one, (named, before) => decideMove(named, before, move), now)
    )
  })

  const setLabels = Effect.fn("Threads.setLabels")(function* (
    caller: EntitledCaller,
    id: string,
    asked: ReadonlyArray<string>
  ) {
    const now = yield* DateTime.now
    yield* find(caller, id)
    const labels = yield* judgeLabels(asked)
    return yield* ofThread(id, (one) => store.setLabels(caller, one, labels, now))
  })

  const addNote = Effect.fn("Threads.addNote")(function* (
    caller: EntitledCaller,
    id: string,
    { author, text }: { readonly text: string; readonly author: Option.Option<string> }
  ) {
    const thread = yield* find(caller, id)
    const members = [
      ...(isNoteText(text) ? [] : ["text" as const]),
      ...(Option.exists(author, (name) => !isNoteAuthor(name)) ? ["author" as const] : [])
    ]
    if (members.length > 0) return yield* new NoteInvalid({ members })
    const actor = yield* CurrentActor
    const note: ThreadNote = {
      id: yield* nextThreadNoteId(random),
      workspaceId: thread.workspaceId,
      accountId: thread.accountId,
      threadId: thread.id,
      text,
      author: Option.orElse(author, () => (actor.type === "member" ? actor.id : Option.none())),
      createdAt: yield* DateTime.now
    }
    return (yield* store.addNote(caller, note)) ? note : yield* new ThreadNotFound({ threadId: id })
  })

  const removeNote = Effect.fn("Threads.removeNote")(function* (caller: EntitledCaller, id: string, noteId: string) {
    const now = yield* DateTime.now
    yield* find(caller, id)
    const wasThere = isNoteId(noteId) && (yield* ofThread(id, (one) => store.removeNote(caller, one, noteId, now)))
    if (!wasThere) return yield* new NoteNotFound({ noteId })
  })

  return Threads.of({
    list: flow(store.list, traced("Threads.list")),
    find: flow(find, traced("Threads.find")),
    items: Effect.fn("Threads.items")((caller, id, query) => ofThread(id, (one) => store.items(caller, one, query))),
    markRead,
    setState,
    setLabels,
    addNote,
    notes: Effect.fn("Threads.notes")((caller, id, page) => ofThread(id, (one) => store.notes(caller, one, page))),
    removeNote,
    labels: Effect.fn("Threads.labels")((caller) => store.labels(caller, listedLabels))
  })
})
