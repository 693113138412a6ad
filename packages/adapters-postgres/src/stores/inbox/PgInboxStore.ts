import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { type AnsweredItem, InboxStore } from "@loopbox/core/inbox/InboxStore"
import { decideRead, decideUnread } from "@loopbox/core/items/decideRead"
import { makeCounters } from "./counters.ts"
import { EventLog } from "./EventLog.ts"
import { makeItemChanges } from "./itemChanges.ts"
import { makeListItems } from "./listItems.ts"
import { StoredRow, storedColumnsOf, toStored } from "../../rows/ItemRow.ts"
import { first, Instant } from "../../rows/rows.ts"
import { makeScope } from "./scope.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { moveTimeout } from "./threads.ts"
import { traced } from "@loopbox/core/kernel/traced"

const InboundRow = Schema.Struct({ received_at: Instant })

export const layer: Layer.Layer<InboxStore, never, EventLog | SqlClient> = Layer.effect(
  InboxStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const log = yield* EventLog
    const storeCall = yield* makeStoreCall
    const listItems = yield* makeListItems
    const changes = yield* makeItemChanges
    const counters = yield* makeCounters
    const within = yield* makeScope

    return InboxStore.of({
      list: flow(listItems, storeCall("inbox.list", "no"), traced("PgInboxStore.list")),

      countUnread: flow(counters.sum, storeCall("inbox.countUnread", "no"), traced("PgInboxStore.countUnread")),

      find: flow(changes.find, storeCall("inbox.find", "no"), traced("PgInboxStore.find")),

      markRead: Effect.fn("PgInboxStore.markRead")(
        (scope, id, moment) =>
          log.transaction(scope.scope.workspaceId, (append) => changes.setRead(scope, id, decideRead, moment, append)),
        storeCall("inbox.markRead", "unknown")
      ),

      markUnread: Effect.fn("PgInboxStore.markUnread")(
        (scope, id, moment) =>
          log.transaction(scope.scope.workspaceId, (append) =>
            changes.setRead(scope, id, decideUnread, moment, append)
          ),
        storeCall("inbox.markUnread", "unknown")
      ),

      markBatch: Effect.fn("PgInboxStore.markBatch")(changes.markBatch, storeCall("inbox.markBatch", "unknown")),

      moveThread: Effect.fn("PgInboxStore.moveThread")(
        (scope, id, move, moment) =>
          log.transaction(scope.scope.workspaceId, (append) => changes.moveThread(scope, id, move, moment, append)),
        storeCall("inbox.moveThread", "unknown", moveTimeout)
      ),

      findAnswered: Effect.fn("PgInboxStore.findAnswered")(
        function* (scope, id) {
          const row = yield* first(StoredRow)(sql`SELECT ${sql.literal(storedColumnsOf("i"))}
            FROM items i JOIN social_accounts a ON a.workspace_id = i.workspace_id AND a.id = i.account_id
            WHERE i.workspace_id = ${scope.scope.workspaceId} AND i.id = ${id} AND i.kind = 'live'
              AND i.source = ANY(${Array.from(scope.sources)}::text[]) AND ${within.accounts(scope)}`)
          const item = Option.isSome(row) ? toStored(row.value) : undefined
          if (item?._tag !== "LiveItem") return Option.none()
          const newest = yield* first(InboundRow)(sql`SELECT received_at FROM items
            WHERE workspace_id = ${item.workspaceId} AND account_id = ${item.accountId} AND source = ${item.source}
              AND thread_key = ${item.threadKey} AND kind = 'live' AND NOT is_own
            ORDER BY received_at DESC, id DESC LIMIT 1`)
          const newestInboundAt = Option.map(newest, ({ received_at }) => received_at)
          return Option.some<AnsweredItem>({ item, newestInboundAt })
        },
        storeCall("inbox.findAnswered", "no")
      )
    })
  })
)
