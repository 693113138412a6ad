import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { IngestStore, type IngestUnit } from "@loopbox/core/inbox/IngestStore"
import { keyOf } from "@loopbox/core/items/StoredItem"
import { InboxItemId } from "@loopbox/core/kernel/Ids"
import { Source } from "@loopbox/core/networks/Source"
import { EventLog } from "./EventLog.ts"
import { makeIngestUnit } from "./ingestUnit.ts"
import { itemOf } from "./itemLookUp.ts"
import { makeFindMissing } from "./missingItems.ts"
import { namedRows } from "../../rows/oneByOne.ts"
import { all, first } from "../../rows/rows.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { storable } from "../../rows/text.ts"
import { moveTimeout } from "./threads.ts"

const KeyRow = Schema.Struct({ source: Source, external_id: Schema.String, thread_key: Schema.String })
const IdRow = Schema.Struct({ id: InboxItemId })

export const layer: Layer.Layer<IngestStore, never, EventLog | SqlClient> = Layer.effect(
  IngestStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const log = yield* EventLog
    const storeCall = yield* makeStoreCall
    const ingestUnit = yield* makeIngestUnit
    const findMissing = yield* makeFindMissing

    const ingest = (unit: IngestUnit, isAlone: boolean) =>
      log.transaction(unit.workspaceId, (append) => ingestUnit(unit, isAlone, append))

    return IngestStore.of({
      ingest: Effect.fn("PgIngestStore.ingest")(
        (unit) => Effect.catchTag(ingest(unit, false), "IngestRaced", () => ingest(unit, true)),
        // Whoever makes such rows has the account's lock.
        Effect.catchTag("IngestRaced", Effect.die),
        storeCall("inbox.ingest", "unknown", moveTimeout)
      ),

      findThreadKeys: Effect.fn("PgIngestStore.findThreadKeys")(
        function* (workspaceId, accountId, keys) {
          if (keys.length === 0) return new Map<string, string>()
          const rows = yield* all(KeyRow)(sql`
            SELECT k.source, k.external_id, coalesce(o.thread_key, i.thread_key) AS thread_key
            FROM ${namedRows(sql, {
              source: keys.map(({ source }) => source),
              external_id: keys.map(({ externalId }) => storable(externalId))
            })} k
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

      findMissing: Effect.fn("PgIngestStore.findMissing")(findMissing, storeCall("inbox.findMissing", "no")),

      findItemId: Effect.fn("PgIngestStore.findItemId")(
        function* (workspaceId, accountId, { externalId, source }) {
          const row = yield* first(IdRow)(sql`SELECT id FROM items
            WHERE workspace_id = ${workspaceId} AND account_id = ${accountId} AND source = ${source}
              AND external_id = ${storable(externalId)} AND kind = 'live'`)
          return Option.map(row, ({ id }) => id)
        },
        storeCall("inbox.findItemId", "no")
      )
    })
  })
)
