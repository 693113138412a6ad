import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { EntitledCaller } from "../access/EntitledCaller.ts"
import { InboxItemId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { AssigneeInvalid, type AssigneeNotAllowed, ItemNotFound } from "./InboxErrors.ts"
import { InboxEvents } from "./InboxEvents.ts"
import type { InboxItem } from "./InboxItem.ts"
import { InboxStore, type ItemPage, type ItemQuery } from "./InboxStore.ts"
import { moveThread, type ThreadMove } from "./Thread.ts"

/** Items marked in one transaction at most (design §4). */
export const markBatchSize = 1_000

/** Longest name that a thread is assigned to, in characters. */
const maxAssignee = 256

/** Driving service: the inbox, for a caller whose scope and plan were judged. */
export class Inbox extends Context.Service<
  Inbox,
  {
    /** Newest first (§4.2). */
    readonly list: (caller: EntitledCaller, query: ItemQuery) => Effect.Effect<ItemPage, StoreUnavailable>
    /** Unread and not own, of the plan's sources. */
    readonly countUnread: (caller: EntitledCaller) => Effect.Effect<number, StoreUnavailable>
    /** An item outside of the scope is as good as absent, and so is an id that is none. */
    readonly find: (caller: EntitledCaller, id: string) => Effect.Effect<InboxItem, ItemNotFound | StoreUnavailable>
    readonly markRead: (caller: EntitledCaller, id: string) => Effect.Effect<void, ItemNotFound | StoreUnavailable>
    /**
     * Marks everything unread that was stored when it began, in batches; answers how many. Cut off, it has done a
     * part, and is repeated harmlessly.
     */
    readonly markAllRead: (caller: EntitledCaller) => Effect.Effect<number, StoreUnavailable>
    /** Moves an item's thread; any state may follow any. */
    readonly setThreadState: (
      caller: EntitledCaller,
      id: string,
      move: ThreadMove
    ) => Effect.Effect<InboxItem, ItemNotFound | AssigneeNotAllowed | AssigneeInvalid | StoreUnavailable>
  }
>()("@loopbox/core/inbox/Inbox") {
  static readonly layer: Layer.Layer<Inbox, never, InboxStore | InboxEvents> = Layer.effect(
    Inbox,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const store = yield* InboxStore
  const events = yield* InboxEvents

  const find = Effect.fnUntraced(function* (caller: EntitledCaller, id: string) {
    const item = isItemId(id) ? yield* store.find(caller, id) : Option.none<InboxItem>()
    if (Option.isNone(item)) return yield* new ItemNotFound({ itemId: id })
    return item.value
  }, Effect.withSpan("Inbox.find"))

  const markRead = Effect.fn("Inbox.markRead")(function* (caller: EntitledCaller, id: string) {
    const isThere = isItemId(id) && (yield* store.markRead(caller, id, yield* DateTime.now))
    if (!isThere) return yield* new ItemNotFound({ itemId: id })
  })

  const markAllRead = Effect.fn("Inbox.markAllRead")(function* (caller: EntitledCaller) {
    // What is stored later has a higher number, so a busy inbox can't keep this going for ever.
    const { last } = yield* events.range(caller.scope.workspaceId)
    let marked = 0
    for (let batch = markBatchSize; batch >= markBatchSize;) {
      batch = yield* store.markBatch(caller, { upToSeq: last, limit: markBatchSize, at: yield* DateTime.now })
      marked += batch
    }
    return marked
  })

  const setThreadState = Effect.fn("Inbox.setThreadState")(function* (
    caller: EntitledCaller,
    id: string,
    move: ThreadMove
  ) {
    const now = yield* DateTime.now
    yield* find(caller, id)
    yield* judgeAssignee(move)
    const item = isItemId(id)
      ? yield* store.moveThread(caller, id, (thread) => moveThread(thread, move), now)
      : Option.none<InboxItem>()
    if (Option.isNone(item)) return yield* new ItemNotFound({ itemId: id })
    return item.value
  })

  return Inbox.of({
    list: flow(store.list, Effect.withSpan("Inbox.list")),
    countUnread: flow(store.countUnread, Effect.withSpan("Inbox.countUnread")),
    find,
    markRead,
    markAllRead,
    setThreadState
  })
})

const isItemId = Schema.is(InboxItemId)

const judgeAssignee = ({ assignedTo }: ThreadMove): Effect.Effect<void, AssigneeInvalid> => {
  if (assignedTo === undefined || Option.isNone(assignedTo)) return Effect.void
  const length = Array.from(assignedTo.value).length
  return length >= 1 && length <= maxAssignee ? Effect.void : Effect.fail(new AssigneeInvalid())
}
