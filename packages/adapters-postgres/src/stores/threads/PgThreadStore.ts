import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { EventLog } from "../inbox/EventLog.ts"
import { moveTimeout } from "../inbox/threads.ts"
import { makeListThreads } from "./listThreads.ts"
import { makeThreadChanges } from "./threadChanges.ts"
import { makeThreadNotes } from "./threadNotes.ts"
import { makeThreadUpkeep } from "./threadUpkeep.ts"
import { traced } from "@loopbox/core/kernel/traced"

/** A batch may have a thread of a hundred thousand items. */
const upkeepTimeout = Duration.seconds(30)

export const layer: Layer.Layer<ThreadStore, never, EventLog | SqlClient> = Layer.effect(
  ThreadStore,
  Effect.gen(function* () {
    const log = yield* EventLog
    const storeCall = yield* makeStoreCall
    const list = yield* makeListThreads
    const changes = yield* makeThreadChanges
    const upkeep = yield* makeThreadUpkeep
    const notes = yield* makeThreadNotes

    return ThreadStore.of({
      list: flow(list, storeCall("threads.list", "no"), traced("PgThreadStore.list")),

      find: Effect.fn("PgThreadStore.find")(
        (scope, id) => Effect.flatMap(DateTime.now, (now) => changes.find(scope, id, now)),
        storeCall("threads.find", "no")
      ),

      items: Effect.fn("PgThreadStore.items")(
        (scope, id, query) => Effect.flatMap(DateTime.now, (now) => changes.listItems(scope, id, query, now)),
        storeCall("threads.items", "no")
      ),

      markRead: Effect.fn("PgThreadStore.markRead")(
        (scope, id, limit, moment) =>
          log.transaction(scope.scope.workspaceId, (append) => changes.markRead(scope, id, limit, moment, append)),
        storeCall("threads.markRead", "unknown")
      ),

      change: Effect.fn("PgThreadStore.change")(
        (scope, id, decide, moment) =>
          log.transaction(scope.scope.workspaceId, (append) => changes.change(scope, id, decide, moment, append)),
        storeCall("threads.change", "unknown", moveTimeout)
      ),

      setLabels: Effect.fn("PgThreadStore.setLabels")(
        (scope, id, labels, moment) =>
          log.transaction(scope.scope.workspaceId, (append) => changes.setLabels(scope, id, labels, moment, append)),
        storeCall("threads.setLabels", "unknown")
      ),

      labels: Effect.fn("PgThreadStore.labels")(changes.labels, storeCall("threads.labels", "no")),

      addNote: Effect.fn("PgThreadStore.addNote")(
        (scope, note) => log.transaction(note.workspaceId, (append) => notes.add(scope, note, append)),
        storeCall("threads.addNote", "unknown")
      ),

      notes: Effect.fn("PgThreadStore.notes")(notes.list, storeCall("threads.notes", "no")),

      removeNote: Effect.fn("PgThreadStore.removeNote")(
        (scope, id, noteId, moment) =>
          log.transaction(scope.scope.workspaceId, (append) => notes.remove(scope, id, noteId, moment, append)),
        storeCall("threads.removeNote", "unknown")
      ),

      wakeDue: Effect.fn("PgThreadStore.wakeDue")(upkeep.wakeDue, storeCall("threads.wakeDue", "unknown", moveTimeout)),

      countLeft: Effect.fn("PgThreadStore.countLeft")(
        upkeep.countLeft,
        storeCall("threads.countLeft", "unknown", upkeepTimeout)
      )
    })
  })
)
