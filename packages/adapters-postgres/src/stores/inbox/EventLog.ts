import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { erasedWith } from "@loopbox/core/feed/erasedWith"
import { LoggedEvent } from "@loopbox/core/feed/JobEnded"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { hourOf } from "@loopbox/core/usage/usageWindow"
import { makeInsertRows } from "../../rows/insertRows.ts"
import { first, one } from "../../rows/rows.ts"
import { Signals } from "../../connection/Signals.ts"

/** Events as they are kept. */
export const StoredEvent = Schema.toCodecJson(LoggedEvent)

const NumberedRow = Schema.Struct({ last: Schema.Int, counted: Schema.Int })

const encode = Schema.encodeEffect(Schema.Array(StoredEvent))

/** Numbers and writes events, and counts new items by the hour: the last of its transaction, for it locks the workspace's number. */
export type Append = (
  events: ReadonlyArray<LoggedEvent>,
  moment: DateTime.Utc
) => Effect.Effect<void, SqlError | Schema.SchemaError>

/** Columns by which events are found, besides their number. */
const namesOf = (event: LoggedEvent) => ({
  account_id: "accountId" in event ? event.accountId : null,
  external_user_id: Option.getOrNull(erasedWith(event)),
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

    const insertRows = makeInsertRows(sql)

    /** The last number of a workspace whose events took this many, and the new items of the hour. */
    const number = Effect.fnUntraced(function* (workspaceId: WorkspaceId, events: number, items: number, hour: string) {
      const add = sql`UPDATE workspace_seq SET last = last + ${events}::bigint WHERE workspace_id = ${workspaceId}
        RETURNING last::float8 AS last`
      // Both are there but for the first of each. Older versions lock them in this order, too.
      const known = yield* first(NumberedRow)(
        items === 0
          ? sql`${add}, 0 AS counted`
          : sql`WITH counted AS (UPDATE item_hours SET items = items + ${items}::bigint
              WHERE workspace_id = ${workspaceId} AND hour = ${hour}::timestamptz RETURNING 1)
            ${add}, (SELECT count(*)::int FROM counted) AS counted`
      )
      const { counted, last } = Option.isSome(known)
        ? known.value
        : yield* one(NumberedRow)(sql`INSERT INTO workspace_seq AS s (workspace_id, last)
            VALUES (${workspaceId}, ${events}::bigint)
            ON CONFLICT (workspace_id) DO UPDATE SET last = s.last + excluded.last
            RETURNING last::float8 AS last, 0 AS counted`)
      if (items > 0 && counted === 0) {
        yield* sql`INSERT INTO item_hours AS h (workspace_id, hour, items)
          VALUES (${workspaceId}, ${hour}::timestamptz, ${items}::bigint)
          ON CONFLICT (workspace_id, hour) DO UPDATE SET items = h.items + excluded.items`
      }
      return last
    })

    const append = Effect.fnUntraced(function* (
      workspaceId: WorkspaceId,
      events: ReadonlyArray<LoggedEvent>,
      moment: DateTime.Utc
    ) {
      const encoded = yield* encode(events)
      const items = events.filter(({ _tag }) => _tag === "NewItem").length
      const last = yield* number(workspaceId, events.length, items, DateTime.formatIso(hourOf(moment)))
      const at = DateTime.formatIso(moment)
      yield* insertRows({
        workspaceId,
        table: "events",
        columns: ["seq", "at", "account_id", "external_user_id", "new_item_id", "event"],
        rows: events.map((event, i) => ({
          seq: last - events.length + 1 + i,
          at,
          ...namesOf(event),
          event: encoded[i]
        })),
        rest: sql``
      })
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
