import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Source } from "@loopbox/core/connectors/Source"
import { InboxStore } from "@loopbox/core/inbox/InboxStore"
import { keyOf } from "@loopbox/core/inbox/StoredItem"
import { makeCounters } from "./internal/counters.ts"
import { EventLog } from "./internal/EventLog.ts"
import { makeIngestUnit } from "./internal/ingestUnit.ts"
import { makeItemChanges } from "./internal/itemChanges.ts"
import { makeListItems } from "./internal/listItems.ts"
import { all } from "./internal/rows.ts"
import { makeStoreCall } from "./internal/storeFailure.ts"
import { storable } from "./internal/text.ts"
import { moveTimeout } from "./internal/threads.ts"

const KeyRow = Schema.Struct({ source: Source, external_id: Schema.String, thread_key: Schema.String })

/** Two units that race for one row are rare; the second try finds it there. */
const racesAtMost = 5

export const layer: Layer.Layer<InboxStore, never, EventLog | SqlClient> = Layer.effect(
  InboxStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const log = yield* EventLog
    const storeCall = yield* makeStoreCall
    const listItems = yield* makeListItems
    const ingestUnit = yield* makeIngestUnit
    const changes = yield* makeItemChanges
    const counters = yield* makeCounters

    return InboxStore.of({
      list: flow(listItems, storeCall("inbox.list", "no"), Effect.withSpan("PgInboxStore.list")),

      countUnread: flow(
        counters.sum,
        storeCall("inbox.countUnread", "no"),
        Effect.withSpan("PgInboxStore.countUnread")
      ),

      find: flow(changes.find, storeCall("inbox.find", "no"), Effect.withSpan("PgInboxStore.find")),

      markRead: Effect.fn("PgInboxStore.markRead")(
        (scope, id, moment) =>
          log.transaction(scope.scope.workspaceId, (append) => changes.markRead(scope, id, moment, append)),
        storeCall("inbox.markRead", "unknown")
      ),

      markBatch: Effect.fn("PgInboxStore.markBatch")(changes.markBatch, storeCall("inbox.markBatch", "unknown")),

      moveThread: Effect.fn("PgInboxStore.moveThread")(
        (scope, id, move, moment) =>
          log.transaction(scope.scope.workspaceId, (append) => changes.moveThread(scope, id, move, moment, append)),
        storeCall("inbox.moveThread", "unknown", moveTimeout)
      ),

      ingest: Effect.fn("PgInboxStore.ingest")(
        (unit) => log.transaction(unit.workspaceId, (append) => ingestUnit(unit, append)),
        Effect.retry({ while: (error) => error._tag === "IngestRaced", times: racesAtMost }),
        Effect.catchTag("IngestRaced", Effect.die),
        storeCall("inbox.ingest", "unknown", moveTimeout)
      ),

      findThreadKeys: Effect.fn("PgInboxStore.findThreadKeys")(
        function* (workspaceId, accountId, keys) {
          if (keys.length === 0) return new Map<string, string>()
          const rows = yield* all(KeyRow)(sql`
            SELECT k.source, k.external_id, coalesce(o.thread_key, i.thread_key) AS thread_key
            FROM unnest(${keys.map(({ source }) => source)}::text[],
              ${keys.map(({ externalId }) => storable(externalId))}::text[]) AS k (source, external_id)
            JOIN items i ON i.workspace_id = ${workspaceId} AND i.account_id = ${accountId}
              AND i.source = k.source AND i.external_id = k.external_id
            LEFT JOIN items o ON o.workspace_id = i.workspace_id AND o.account_id = i.account_id
              AND o.source = i.source AND o.external_id = i.alias_of
            WHERE coalesce(o.thread_key, i.thread_key) IS NOT NULL`)
          return new Map(
            rows.map((row): [string, string] => [
              keyOf({ source: row.source, externalId: row.external_id }),
              row.thread_key
            ])
          )
        },
        storeCall("inbox.findThreadKeys", "no")
      ),

      compareCounters: Effect.fn("PgInboxStore.compareCounters")(({ repair }) => counters.compare(repair))
    })
  })
)
