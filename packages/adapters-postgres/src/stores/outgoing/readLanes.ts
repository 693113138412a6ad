import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { OutgoingEndpointId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import type { LaneBatch, LanePlace, OutgoingLane } from "@loopbox/core/outgoing/OutgoingQueue"
import { deliveryColumnsOf, DeliveryRow, toDelivery } from "../../rows/OutgoingRow.ts"
import { all, at, first, shaped } from "../../rows/rows.ts"
import { LockedRow, makeLockedColumns, toLocked } from "./lockedEndpoint.ts"

/** Thousands a second: their texts were judged when they were written. */
const deliveriesOf = shaped(DeliveryRow)

const HeldRow = Schema.Struct({ endpoint_id: OutgoingEndpointId, token: Schema.NullOr(Schema.String) })

interface Reading {
  readonly now: DateTime.Utc
  readonly limit: number
  /** What becomes of the lease: taken if something is due, kept, or given back. */
  readonly hold: { readonly token: string; readonly leaseUntil: DateTime.Utc } | "kept" | "free"
}

export const lostLane = ({ endpointId }: Pick<OutgoingLane, "endpointId">) =>
  new LeaseLost({ what: "lane", id: endpointId })

/**
 * Reads what is due of lanes from their beginning, in a transaction that has locked them, and notes where that is.
 *
 * `next_at` says when the first is due that has not ended, whoever has it in hand, so that a lane whose worker died is
 * found, and no reader passes over all that was sent before.
 */
export const makeReadLanes = Effect.map(SqlClient, (sql) => {
  const columns = sql.literal(deliveryColumnsOf("d"))
  const holdOf = (hold: Reading["hold"]) => {
    if (hold === "kept") return sql``
    if (hold === "free") return sql`held = '{}', held_until = NULL, is_full = false,`
    return sql`held = CASE WHEN s.is_due THEN ARRAY[${hold.token}::text] ELSE '{}' END, is_full = coalesce(s.is_due, false),
      held_until = CASE WHEN s.is_due THEN ${at(hold.leaseUntil)}::timestamptz END,`
  }
  return (workspaceId: WorkspaceId, lanes: ReadonlyArray<OutgoingEndpointId>, { hold, limit, now }: Reading) => {
    const ofLane = sql`FROM outgoing_deliveries d
      WHERE d.workspace_id = ${workspaceId} AND d.endpoint_id = l.endpoint_id AND d.epoch = l.epoch AND d.due_at IS NOT NULL`
    const most = sql.literal(`LIMIT ${limit}`)
    // Whoever claims a lane has its first one; whoever holds it may read on.
    const mostOrdered = sql.literal(`LIMIT ${hold === "kept" ? limit : 1}`)
    // Of an ordered one, what stands behind one that is not due is not due either, and the lane is not due before its first.
    return deliveriesOf(sql`
      WITH lane AS MATERIALIZED (
        SELECT endpoint_id, is_ordered, epoch, next_at, from_seq FROM outgoing_lanes
        WHERE workspace_id = ${workspaceId} AND endpoint_id = ANY(${lanes}::text[])
      ), found AS MATERIALIZED (
        SELECT d.*, CASE WHEN l.is_ordered THEN d.event_seq END AS place FROM lane l CROSS JOIN LATERAL (
          (SELECT d.*, d.due_at <= ${at(now)} AS is_due, true AS is_first ${ofLane} AND NOT l.is_ordered
            AND d.due_at >= l.next_at ORDER BY d.due_at, d.id ${most})
          UNION ALL
          (SELECT o.*, bool_and(o.due_at <= ${at(now)}) OVER (ORDER BY o.event_seq) AS is_due,
            row_number() OVER (ORDER BY o.event_seq) = 1 AS is_first
            FROM (SELECT d.* ${ofLane} AND l.is_ordered AND d.event_seq >= l.from_seq ORDER BY d.event_seq ${mostOrdered}) o)
        ) d
      ), noted AS (
        UPDATE outgoing_lanes o SET ${holdOf(hold)} next_at = s.first_at,
          from_seq = CASE WHEN l.is_ordered THEN s.first_seq ELSE o.from_seq END
        FROM lane l LEFT JOIN (SELECT endpoint_id, min(due_at) FILTER (WHERE is_first) AS first_at,
            min(event_seq) AS first_seq, bool_or(is_due) AS is_due FROM found GROUP BY endpoint_id) s
          ON s.endpoint_id = l.endpoint_id
        WHERE o.workspace_id = ${workspaceId} AND o.endpoint_id = l.endpoint_id
      )
      SELECT ${columns} FROM found d WHERE is_due ORDER BY place, due_at, id`)
  }
})

/** How a worker goes on with a lane that it holds, and gives it back. */
export const makeHeldLanes = Effect.gen(function* () {
  const sql = yield* SqlClient
  const readLanes = yield* makeReadLanes
  const columns = yield* makeLockedColumns
  const delivery = sql.literal(deliveryColumnsOf("d"))
  const ownOf = ({ endpointId, token, workspaceId }: OutgoingLane) =>
    sql`l.workspace_id = ${workspaceId} AND l.endpoint_id = ${endpointId} AND l.held = ARRAY[${token}::text]`

  const lock = Effect.fnUntraced(function* (lane: OutgoingLane) {
    const found = yield* sql`SELECT 1 FROM outgoing_lanes l WHERE ${ownOf(lane)} FOR NO KEY UPDATE`
    if (found.length === 0) return yield* lostLane(lane)
  })

  const fromBeginning = (lane: OutgoingLane, reading: Pick<Reading, "now" | "limit">) =>
    Effect.andThen(lock(lane), readLanes(lane.workspaceId, [lane.endpointId], { ...reading, hold: "kept" })).pipe(
      sql.withTransaction
    )

  const behind = (
    lane: OutgoingLane,
    { id, nextAttemptAt }: LanePlace,
    { limit, now }: Pick<Reading, "now" | "limit">
  ) => {
    const place = sql`(${Option.getOrNull(Option.map(nextAttemptAt, at))}::timestamptz, ${id}::text)`
    return deliveriesOf(sql`SELECT ${delivery} FROM outgoing_lanes l CROSS JOIN LATERAL (
        SELECT * FROM outgoing_deliveries d WHERE d.workspace_id = ${lane.workspaceId} AND d.endpoint_id = l.endpoint_id
          AND d.epoch = l.epoch AND d.due_at <= ${at(now)} AND (d.due_at, d.id) > ${place}
        ORDER BY d.due_at, d.id LIMIT ${sql.literal(`${limit}`)}
      ) d WHERE ${ownOf(lane)} ORDER BY d.due_at, d.id`)
  }

  const next = Effect.fnUntraced(function* (
    lane: OutgoingLane,
    { after, ...reading }: Pick<Reading, "now" | "limit"> & { readonly after: Option.Option<LanePlace> }
  ) {
    const head = yield* first(LockedRow)(sql`SELECT ${columns(lane.workspaceId, reading.now)}
      FROM outgoing_lanes l JOIN outgoing_endpoints e ON e.id = l.endpoint_id
      WHERE ${ownOf(lane)} AND e.workspace_id = ${lane.workspaceId} AND e.removed_at IS NULL`)
    if (Option.isNone(head)) return yield* lostLane(lane)
    const found = toLocked(head.value)
    const isBehind = Option.isSome(after) && !found.endpoint.isOrdered
    const rows = yield* isBehind ? behind(lane, after.value, reading) : fromBeginning(lane, reading)
    return { ...found, deliveries: rows.map(toDelivery), isFull: rows.length >= reading.limit } satisfies LaneBatch
  })

  /** Of one workspace; one result for each, in the same order: whether something of it is due. */
  const release = Effect.fnUntraced(function* (
    workspaceId: WorkspaceId,
    given: ReadonlyArray<OutgoingLane>,
    now: DateTime.Utc
  ) {
    const rows = yield* all(HeldRow)(sql`SELECT endpoint_id, held[1] AS token FROM outgoing_lanes
      WHERE workspace_id = ${workspaceId} AND endpoint_id = ANY(${given.map(({ endpointId }) => endpointId)}::text[])
      ORDER BY endpoint_id FOR NO KEY UPDATE`)
    const asked = new Set(given.map((lane) => lane.token + lane.endpointId))
    const found = rows.filter((row) => asked.has(`${row.token}${row.endpoint_id}`))
    const ids = found.map(({ endpoint_id: id }) => id)
    const due = ids.length === 0 ? [] : yield* readLanes(workspaceId, ids, { now, limit: 1, hold: "free" })
    const isDue = new Set(due.map((row) => row.endpoint_id))
    const isOwn = new Set(found.map((row) => `${row.token}${row.endpoint_id}`))
    return given.map((lane): Result.Result<boolean, LeaseLost> =>
      isOwn.has(lane.token + lane.endpointId) ? Result.succeed(isDue.has(lane.endpointId)) : Result.fail(lostLane(lane))
    )
  }, sql.withTransaction)

  const renew = Effect.fnUntraced(function* (lane: OutgoingLane, leaseUntil: DateTime.Utc) {
    const renewed =
      yield* sql`UPDATE outgoing_lanes l SET held_until = ${at(leaseUntil)} WHERE ${ownOf(lane)} RETURNING 1`
    if (renewed.length === 0) return yield* lostLane(lane)
  })

  return { next, release, renew }
})
