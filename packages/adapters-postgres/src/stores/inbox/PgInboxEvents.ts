import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type * as DateTime from "effect/DateTime"
import { SqlClient } from "effect/sql/SqlClient"
import { type EventPage, InboxEvents, type UnreadableEvent } from "@loopbox/core/feed/InboxEvents"
import type { LoggedJobEnd } from "@loopbox/core/feed/JobEnded"
import type { RoutedEvent } from "@loopbox/core/items/InboxEvent"
import { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { EventLog, StoredEvent } from "./EventLog.ts"
import { all, at, first, Instant, one, optional } from "../../rows/rows.ts"
import { inboxChanged, Signals } from "../../connection/Signals.ts"
import { makeOverAll } from "../../connection/allWorkspaces.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"

/** Numbers come as float8, which is exact up to 2^53. */
const RangeRow = Schema.Struct({ last: Schema.Int, removed: Schema.Int })
const LastRow = Schema.Struct({ workspace_id: WorkspaceId, last: Schema.Int })
const OldRow = Schema.Struct({ workspace_id: WorkspaceId, at: Instant })
const CountRow = Schema.Struct({ count: Schema.Int })

/** Old events that one statement removes. */
const removedAtOnce = 1_000

/** A workspace's numbers with an event, where there is one. */
const PageRow = Schema.Struct({
  ...RangeRow.fields,
  anchor: optional(Instant),
  seq: Schema.NullOr(Schema.Int),
  at: optional(Instant),
  event: Schema.Unknown,
  owner: optional(Schema.String),
  isShown: Schema.NullOr(Schema.Boolean)
})

const decodeEvent = Schema.decodeUnknownOption(StoredEvent)
const decodeKind = Schema.decodeUnknownOption(Schema.Struct({ _tag: Schema.String }))

const toPage = (workspaceId: WorkspaceId, rows: ReadonlyArray<typeof PageRow.Type>): EventPage => {
  const [row] = rows
  const events: Array<RoutedEvent> = []
  const unreadable: Array<UnreadableEvent> = []
  const jobEnds: Array<LoggedJobEnd> = []
  for (const { at, event, isShown, owner, seq } of rows) {
    if (seq === null || Option.isNone(at)) continue
    const logged = Option.getOrUndefined(decodeEvent(event))
    if (logged === undefined) {
      const kind = Option.map(decodeKind(event), ({ _tag }) => _tag)
      unreadable.push({ seq, at: at.value, kind: Option.getOrElse(kind, () => "unknown") })
    } else if (logged._tag === "JobEnded") jobEnds.push({ seq, at: at.value, event: logged })
    else events.push({ seq, workspaceId, at: at.value, event: logged, owner, isShown: isShown === true })
  }
  const { anchor, last, removed } = row ?? { anchor: Option.none(), last: 0, removed: 0 }
  return { last, removed, anchor, events, unreadable, jobEnds }
}

const isWorkspaceId = Schema.is(WorkspaceId)

/** The workspaces that a payload names; empty for payloads of other parts of the product. */
const workspacesIn = (payload: string): ReadonlyArray<WorkspaceId> =>
  payload.startsWith(inboxChanged) ? payload.slice(inboxChanged.length).split(" ").filter(isWorkspaceId) : []

export const layer: Layer.Layer<InboxEvents, never, EventLog | Signals | SqlClient> = Layer.effect(
  InboxEvents,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const log = yield* EventLog
    const overAll = yield* makeOverAll
    const { heard } = yield* Signals
    const storeCall = yield* makeStoreCall

    /**
     * The workspace that has the oldest event which is too old: only which; what follows is of one workspace each. It
     * begins at the one that was found before, for in front of it the index has only what was removed.
     */
    const findOld = (before: DateTime.Utc, from: Option.Option<DateTime.Utc>, passed: ReadonlyArray<WorkspaceId>) =>
      overAll("events.old", (among) =>
        first(OldRow)(sql`SELECT workspace_id, at FROM events
          WHERE at < ${at(before)} ${Option.match(from, {
            onNone: () => sql.literal(""),
            onSome: (moment) => sql`AND at >= ${at(moment)}`
          })} AND workspace_id <> ALL(${passed}::text[]) ${among("workspace_id")}
          ORDER BY at LIMIT 1`)
      ).pipe(storeCall("events.findOld", "no"))

    /**
     * Removes from the front, up to the first that is young enough: the numbers that are kept have no gaps. It looks at
     * no more than it may remove, and not at the places of what was removed before.
     */
    const removeOf = (workspaceId: WorkspaceId, before: DateTime.Utc, limit: number) =>
      one(CountRow)(sql`
        WITH front AS MATERIALIZED (
          SELECT seq, at FROM events WHERE workspace_id = ${workspaceId}
            AND seq > coalesce((SELECT removed FROM workspace_seq WHERE workspace_id = ${workspaceId}), 0)
          ORDER BY seq LIMIT ${limit}
        ), old AS MATERIALIZED (
          SELECT min(seq) AS first, max(seq) AS last FROM front
          WHERE seq < coalesce((SELECT min(seq) FROM front WHERE at >= ${at(before)}), 9223372036854775807)
        ), removed AS (
          DELETE FROM events WHERE workspace_id = ${workspaceId}
            AND seq >= (SELECT first FROM old) AND seq <= (SELECT last FROM old) RETURNING 1
        ), noted AS (
          UPDATE workspace_seq s SET removed = greatest(s.removed, o.last) FROM old o
          WHERE s.workspace_id = ${workspaceId} AND o.last IS NOT NULL
        )
        SELECT count(*)::int AS count FROM removed`).pipe(
        Effect.map(({ count }) => count),
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
          const rows = yield* overAll("events.last", (among) =>
            all(LastRow)(sql`SELECT workspace_id, last::float8 AS last FROM workspace_seq
              WHERE true ${among("workspace_id", workspaceIds)}`)
          )
          return new Map(rows.map((row): [WorkspaceId, number] => [row.workspace_id, row.last]))
        },
        storeCall("events.lastOf", "no")
      ),

      read: Effect.fn("PgInboxEvents.read")(
        function* (workspaceId, after, limit) {
          const rows = yield* all(PageRow)(sql`
            SELECT s.last::float8 AS last, s.removed::float8 AS removed,
              (SELECT at FROM events WHERE workspace_id = ${workspaceId} AND seq = ${after}::bigint) AS anchor,
              e.seq::float8 AS seq, e.at, e.event, a.external_user_id AS owner,
              e.account_id IS NULL OR coalesce(a.status <> 'disconnected', false) AS "isShown"
            FROM workspace_seq s
            LEFT JOIN (
              SELECT seq, at, event, account_id FROM events
              WHERE workspace_id = ${workspaceId} AND seq > ${after}::bigint ORDER BY seq LIMIT ${limit}
            ) e ON true
            LEFT JOIN social_accounts a ON a.workspace_id = ${workspaceId} AND a.id = e.account_id
            WHERE s.workspace_id = ${workspaceId}
            ORDER BY e.seq`)
          return toPage(workspaceId, rows)
        },
        storeCall("events.read", "no")
      ),

      changes: Stream.flatMap(heard, (payload) => Stream.fromIterable(workspacesIn(payload))),

      removeOlder: Effect.fn("PgInboxEvents.removeOlder")(function* (before, limit) {
        let removed = 0
        // Workspaces whose old events follow a younger one, because a clock was ahead: nothing can be removed yet.
        const passed: Array<WorkspaceId> = []
        for (let from = Option.none<DateTime.Utc>(); removed < limit;) {
          const found = yield* findOld(before, from, passed)
          if (Option.isNone(found)) break
          const { at: moment, workspace_id: workspaceId } = found.value
          const count = yield* removeOf(workspaceId, before, Math.min(limit - removed, removedAtOnce))
          if (count === 0) passed.push(workspaceId)
          from = Option.some(moment)
          removed += count
        }
        return removed
      })
    })
  })
)
