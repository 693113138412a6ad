import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type * as DateTime from "effect/DateTime"
import { SqlClient } from "effect/sql/SqlClient"
import { InboxEvents } from "@loopbox/core/inbox/InboxEvents"
import { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { EventLog, StoredEvent } from "./internal/EventLog.ts"
import { all, at, first, Instant, optional } from "./internal/rows.ts"
import { inboxChanged, Signals } from "./internal/Signals.ts"
import { makeStoreCall } from "./internal/storeFailure.ts"

/** Numbers come as float8, which is exact up to 2^53. */
const RangeRow = Schema.Struct({ last: Schema.Int, removed: Schema.Int })
const LastRow = Schema.Struct({ workspace_id: WorkspaceId, last: Schema.Int })
const OldRow = Schema.Struct({ workspace_id: WorkspaceId })
const EventRow = Schema.Struct({
  seq: Schema.Int,
  at: Instant,
  event: StoredEvent,
  owner: optional(Schema.String),
  isShown: Schema.Boolean
})

const isWorkspaceId = Schema.is(WorkspaceId)

/** The workspaces that a payload names; none in what other parts of the product say. */
const workspacesIn = (payload: string): ReadonlyArray<WorkspaceId> =>
  payload.startsWith(inboxChanged) ? payload.slice(inboxChanged.length).split(" ").filter(isWorkspaceId) : []

export const layer: Layer.Layer<InboxEvents, never, EventLog | Signals | SqlClient> = Layer.effect(
  InboxEvents,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const log = yield* EventLog
    const { heard } = yield* Signals
    const storeCall = yield* makeStoreCall

    /** A workspace that has events which are too old: only which; what follows is of one workspace each. */
    const findOld = (before: DateTime.Utc) =>
      Effect.map(
        first(OldRow)(sql`SELECT workspace_id FROM events WHERE at < ${at(before)} ORDER BY at LIMIT 1`),
        Option.map((row) => row.workspace_id)
      ).pipe(storeCall("events.findOld", "no"))

    /** Removes from the front, up to the first that is young enough: the numbers that are kept have no gaps. */
    const removeOf = (workspaceId: WorkspaceId, before: DateTime.Utc, limit: number) =>
      sql`
        WITH young AS MATERIALIZED (
          SELECT seq FROM events WHERE workspace_id = ${workspaceId} AND at >= ${at(before)} ORDER BY seq LIMIT 1
        ), old AS MATERIALIZED (
          SELECT seq FROM events
          WHERE workspace_id = ${workspaceId} AND seq < coalesce((SELECT seq FROM young), 9223372036854775807)
          ORDER BY seq LIMIT ${limit}
        ), removed AS (
          DELETE FROM events e USING old o WHERE e.workspace_id = ${workspaceId} AND e.seq = o.seq RETURNING e.seq
        ), noted AS (
          UPDATE workspace_seq s SET removed = greatest(s.removed, (SELECT max(seq) FROM old))
          WHERE s.workspace_id = ${workspaceId} AND EXISTS (SELECT 1 FROM old)
        )
        SELECT 1 FROM removed`.pipe(
        Effect.map((rows) => rows.length),
        storeCall("events.removeOlder", "unknown")
      )

    return InboxEvents.of({
      publish: Effect.fn("PgInboxEvents.publish")(
        (workspaceId, events, moment) =>
          log.transaction(workspaceId, (append) =>
            // The share of the workspace's row keeps an erasure waiting.
            sql`SELECT id FROM workspaces WHERE id = ${workspaceId} FOR KEY SHARE`.pipe(
              Effect.flatMap((found) => (found.length === 0 ? Effect.void : append(events, moment)))
            )
          ),
        storeCall("events.publish", "unknown")
      ),

      range: Effect.fn("PgInboxEvents.range")(
        function* (workspaceId) {
          const row = yield* first(RangeRow)(sql`SELECT last::float8 AS last, removed::float8 AS removed
            FROM workspace_seq WHERE workspace_id = ${workspaceId}`)
          return Option.getOrElse(row, () => ({ last: 0, removed: 0 }))
        },
        storeCall("events.range", "no")
      ),

      lastOf: Effect.fn("PgInboxEvents.lastOf")(
        function* (workspaceIds) {
          const rows = yield* all(LastRow)(sql`SELECT workspace_id, last::float8 AS last FROM workspace_seq
            WHERE workspace_id = ANY(${workspaceIds}::text[])`)
          return new Map(rows.map((row): [WorkspaceId, number] => [row.workspace_id, row.last]))
        },
        storeCall("events.lastOf", "no")
      ),

      read: Effect.fn("PgInboxEvents.read")(
        function* (workspaceId, after, limit) {
          const rows = yield* all(EventRow)(sql`
            SELECT e.seq::float8 AS seq, e.at, e.event, a.external_user_id AS owner,
              e.account_id IS NULL OR coalesce(a.status <> 'disconnected', false) AS "isShown"
            FROM (
              SELECT seq, at, event, account_id FROM events
              WHERE workspace_id = ${workspaceId} AND seq > ${after}::bigint ORDER BY seq LIMIT ${limit}
            ) e
            LEFT JOIN social_accounts a ON a.workspace_id = ${workspaceId} AND a.id = e.account_id
            ORDER BY e.seq`)
          return rows.map((row) => ({ ...row, workspaceId }))
        },
        storeCall("events.read", "no")
      ),

      changes: Stream.flatMap(heard, (payload) => Stream.fromIterable(workspacesIn(payload))),

      removeOlder: Effect.fn("PgInboxEvents.removeOlder")(function* (before, limit) {
        let removed = 0
        while (removed < limit) {
          const workspaceId = yield* findOld(before)
          if (Option.isNone(workspaceId)) break
          const count = yield* removeOf(workspaceId.value, before, limit - removed)
          if (count === 0) break
          removed += count
        }
        return removed
      })
    })
  })
)
