import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { LoggedEvent } from "@loopbox/core/feed/JobEnded"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { hourOf } from "@loopbox/core/usage/usageWindow"
import { at } from "../../rows/rows.ts"
import { Signals } from "../../connection/Signals.ts"
import { toJson } from "../../rows/text.ts"

/** Events as they are kept. */
export const StoredEvent = Schema.toCodecJson(LoggedEvent)

const encode = Schema.encodeEffect(Schema.Array(StoredEvent))

/** Numbers and writes events, and counts new items by the hour: the last statement of its transaction, for it locks the workspace's number. */
export type Append = (
  events: ReadonlyArray<LoggedEvent>,
  moment: DateTime.Utc
) => Effect.Effect<void, SqlError | Schema.SchemaError>

/** Columns by which events are found, besides their number. */
const namesOf = (event: LoggedEvent) => ({
  account_id: "accountId" in event ? event.accountId : null,
  external_user_id: "externalUserId" in event ? Option.getOrNull(event.externalUserId) : null,
  new_item_id: event._tag === "NewItem" ? event.item.id : null
})

/** Appends events of the inbox, and ends of media jobs, to the log. */
export class EventLog extends Context.Service<
  EventLog,
  {
    /** Runs a transaction that may append events at its end, and notifies subscribers after the commit. */
    readonly transaction: <A, E, R>(
      workspaceId: WorkspaceId,
      self: (append: Append) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | SqlError, R>
  }
>()("@loopbox/adapters-postgres/stores/inbox/EventLog") {}

export const layer: Layer.Layer<EventLog, never, Signals | SqlClient> = Layer.effect(
  EventLog,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const signals = yield* Signals

    const append = Effect.fnUntraced(function* (
      workspaceId: WorkspaceId,
      events: ReadonlyArray<LoggedEvent>,
      moment: DateTime.Utc
    ) {
      const encoded = yield* encode(events)
      const newItems = events.filter(({ _tag }) => _tag === "NewItem").length
      const rows = events.map((event, i) => ({ ...namesOf(event), event: encoded[i] }))
      yield* sql`
        WITH numbered AS (
          INSERT INTO workspace_seq AS s (workspace_id, last) VALUES (${workspaceId}, ${events.length}::bigint)
          ON CONFLICT (workspace_id) DO UPDATE SET last = s.last + excluded.last
          RETURNING last
        ), counted AS (
          INSERT INTO item_hours AS h (workspace_id, hour, items)
          SELECT ${workspaceId}::text, ${at(hourOf(moment))}::timestamptz, ${newItems}::bigint
          WHERE ${newItems}::bigint > 0
          ON CONFLICT (workspace_id, hour) DO UPDATE SET items = h.items + excluded.items
        )
        INSERT INTO events (workspace_id, seq, at, account_id, external_user_id, new_item_id, event)
        SELECT ${workspaceId}::text, n.last - ${events.length}::bigint + e.place, ${at(moment)}, e.row ->> 'account_id',
          e.row ->> 'external_user_id', e.row ->> 'new_item_id', e.row -> 'event'
        FROM numbered n, jsonb_array_elements(${toJson(rows)}::jsonb) WITH ORDINALITY AS e (row, place)`
    })

    return EventLog.of({
      transaction: (workspaceId, self) =>
        Effect.suspend(() => {
          let isChanged = false
          return sql
            .withTransaction(
              self((events, moment) => {
                if (events.length === 0) return Effect.void
                isChanged = true
                return append(workspaceId, events, moment)
              })
            )
            .pipe(Effect.tap(() => (isChanged ? signals.tellChanged(workspaceId) : Effect.void)))
        })
    })
  })
)
