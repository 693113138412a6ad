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
import { ItemNotFound } from "./InboxErrors.ts"
import type { AssigneeInvalid, AssigneeNotAllowed } from "../items/ThreadErrors.ts"
import { judgeAssignee } from "../threads/judgeMove.ts"
import { InboxEvents } from "../feed/InboxEvents.ts"
import type { InboxItem } from "../items/InboxItem.ts"
import { InboxStore, type ItemPage, type ItemQuery } from "./InboxStore.ts"
import { decideMove } from "../items/decideMove.ts"
import type { ThreadMove } from "../items/Thread.ts"
import { traced } from "../kernel/traced.ts"

/** Maximum number of items marked in one transaction (design §4). */
export const markBatchSize = 1_000

/** Driving service: the inbox, for a caller whose scope and plan were checked. */
export class Inbox extends Context.Service<
  Inbox,
  {
    /** Newest first (§4.2). */
    readonly list: (caller: EntitledCaller, query: ItemQuery) => Effect.Effect<ItemPage, StoreUnavailable>
    /** Unread items of the plan's sources, without the accounts' own. */
    readonly countUnread: (caller: EntitledCaller) => Effect.Effect<number, StoreUnavailable>
    /** An item outside of the scope, and a malformed id, count as not found. */
    readonly find: (caller: EntitledCaller, id: string) => Effect.Effect<InboxItem, ItemNotFound | StoreUnavailable>
    readonly markRead: (caller: EntitledCaller, id: string) => Effect.Effect<void, ItemNotFound | StoreUnavailable>
    /** An item that the account wrote stays read. */
    readonly markUnread: (caller: EntitledCaller, id: string) => Effect.Effect<void, ItemNotFound | StoreUnavailable>
    /**
     * Marks all items read that were stored when it started, in batches. Returns how many. Safe to repeat after an
     * interruption.
     */
    readonly markAllRead: (caller: EntitledCaller) => Effect.Effect<number, StoreUnavailable>
    /** Moves an item's thread. Any state may follow any other. */
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
  }, traced("Inbox.find"))

  const markRead = Effect.fn("Inbox.markRead")(function* (caller: EntitledCaller, id: string) {
    const isThere = isItemId(id) && (yield* store.markRead(caller, id, yield* DateTime.now))
    if (!isThere) return yield* new ItemNotFound({ itemId: id })
  })

  const markUnread = Effect.fn("Inbox.markUnread")(function* (caller: EntitledCaller, id: string) {
    const isThere = isItemId(id) && (yield* store.markUnread(caller, id, yield* DateTime.now))
    if (!isThere) return yield* new ItemNotFound({ itemId: id })
  })

  const markAllRead = Effect.fn("Inbox.markAllRead")(function* (caller: EntitledCaller) {
    // Items that are stored later have higher numbers, so this ends also in a busy inbox.
    const { last } = yield* events.range(caller.scope.workspaceId)
    let marked = 0
    let batch: number
    do {
      batch = yield* store.markBatch(caller, { upToSeq: last, limit: markBatchSize, at: yield* DateTime.now })
      marked += batch
    } while (batch >= markBatchSize)
    return marked
  })

  const setThreadState = Effect.fn("Inbox.setThreadState")(function* (
    caller: EntitledCaller,
    id: string,
    asked: ThreadMove
  ) {
    const now = yield* DateTime.now
    yield* find(caller, id)
    const move = yield* judgeAssignee(asked)
    const item = isItemId(id)
      ? yield* store.moveThread(caller, id, (item, before) => decideMove(item, before, move), now)
      : Option.none<InboxItem>()
    if (Option.isNone(item)) return yield* new ItemNotFound({ itemId: id })
    return item.value
  })

  return Inbox.of({
    list: flow(store.list, traced("Inbox.list")),
    countUnread: flow(store.countUnread, traced("Inbox.countUnread")),
    find,
    markRead,
    markUnread,
    markAllRead,
    setThreadState
  })
})

const isItemId = Schema.is(InboxItemId)
