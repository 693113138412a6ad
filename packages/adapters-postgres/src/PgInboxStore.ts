import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Source } from "@loopbox/core/connectors/Source"
import { InboxStore } from "@loopbox/core/inbox/InboxStore"
import { keyOf } from "@loopbox/core/inbox/StoredItem"
import { makeCounters } from "./internal/counters.ts"
import { EventLog } from "./internal/EventLog.ts"
import { makeIngestUnit } from "./internal/ingestUnit.ts"
import { makeItemChanges } from "./internal/itemChanges.ts"
import { itemOf } from "./internal/itemLookUp.ts"
import { makeListItems } from "./internal/listItems.ts"
import { all } from "./internal/rows.ts"
import { makeStoreCall } from "./internal/storeFailure.ts"
import { storable, toJson } from "./internal/text.ts"
import { moveTimeout } from "./internal/threads.ts"

const ItemKeyRow = Schema.Struct({ source: Source, external_id: Schema.String })
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
            CROSS JOIN LATERAL (${itemOf(sql, { workspaceId, accountId }, "k.source", "k.external_id")}) i
            LEFT JOIN LATERAL (${itemOf(sql, { workspaceId, accountId }, "i.source", "i.alias_of")}) o ON true
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

      findMissing: Effect.fn("PgInboxStore.findMissing")(
        function* (workspaceId, accountId, expected, limit) {
          if (expected.length === 0 || limit <= 0) return []
          const feeds = expected.map(({ after, before, by, isListed, source, values }) => ({
            source,
            column: by,
            values,
            is_listed: isListed,
            after: Option.getOrNull(Option.map(after, DateTime.formatIso)),
            before: DateTime.formatIso(before)
          }))
          const seen = expected.flatMap((one) => one.seen.map((externalId) => ({ source: one.source, externalId })))
          const young = sql`i.workspace_id = ${workspaceId} AND i.account_id = ${accountId} AND i.kind = 'live'
            AND i.source = f.source AND i.received_at > coalesce(f.after, '-infinity') AND i.received_at < f.before`
          // Each way of hanging together has an index of its own.
          const rows = yield* all(ItemKeyRow)(sql`
            WITH feeds AS MATERIALIZED (
              SELECT * FROM jsonb_to_recordset(${toJson(feeds)}::jsonb) AS f (source text, "column" text,
                "values" text[], is_listed boolean, after timestamptz, before timestamptz)
            )
            SELECT m.source, m.external_id FROM (
              SELECT i.source, i.external_id, i.received_at
              FROM feeds f CROSS JOIN LATERAL unnest(f."values") AS v (value)
              JOIN items i ON ${young} AND i.linked_post_id = v.value
              WHERE f.is_listed AND f."column" = 'linkedPostId'
              UNION
              SELECT i.source, i.external_id, i.received_at
              FROM feeds f CROSS JOIN LATERAL unnest(f."values") AS v (value)
              JOIN items i ON ${young} AND i.thread_key = v.value
              WHERE f.is_listed AND f."column" = 'threadKey'
              UNION
              SELECT i.source, i.external_id, i.received_at
              FROM feeds f JOIN items i ON ${young}
                AND CASE f."column" WHEN 'threadKey' THEN i.thread_key ELSE i.linked_post_id END <> ALL (f."values")
              WHERE NOT f.is_listed AND (f."column" = 'threadKey' OR i.linked_post_id IS NOT NULL)
            ) m
            LEFT JOIN unnest(${seen.map(({ source }) => source)}::text[],
              ${seen.map(({ externalId }) => storable(externalId))}::text[]) AS s (source, external_id)
              ON s.source = m.source AND s.external_id = m.external_id
            WHERE s.external_id IS NULL ORDER BY m.received_at DESC, m.external_id LIMIT ${limit}`)
          return rows.map(({ external_id: externalId, source }) => ({ source, externalId }))
        },
        storeCall("inbox.findMissing", "no")
      ),

      compareCounters: Effect.fn("PgInboxStore.compareCounters")(({ repair }) => counters.compare(repair))
    })
  })
)
