import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { OutgoingDelivery } from "@loopbox/core/outgoing/OutgoingDelivery"
import type { OutgoingEndpointId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { at } from "../../rows/rows.ts"

/** What was added to an endpoint's queue: when the first of it is due, and the earliest event. */
export interface Added {
  readonly endpoint_id: string
  readonly due_at: Date
  readonly event_seq: number
}

type Held = Pick<OutgoingDelivery, "workspaceId" | "endpointId" | "id">

/**
 * The state of endpoints' queues, by which a claim finds what is due without reading backlogs.
 *
 * Whoever changes what a queue holds changes its lane in the same transaction, and locks it before the deliveries; the
 * order is position, accounts, endpoints, lanes, deliveries, each by id. New values are made of old ones alone, so that
 * they are right whatever was committed while the lane's lock was awaited.
 */
export const makeLanes = Effect.map(SqlClient, (sql) => {
  /** Gives a place back. `dueAt`: when the delivery is due again, or the next one of an ordered lane may be. */
  const leave = (
    { endpointId, id, workspaceId }: Held,
    { retryAt, now }: { retryAt?: DateTime.Utc; now: DateTime.Utc }
  ) => {
    const again =
      retryAt === undefined ? sql`CASE WHEN is_ordered THEN ${at(now)}::timestamptz END` : sql`${at(retryAt)}`
    return sql`UPDATE outgoing_lanes SET is_full = false, held = array_remove(held, ${id}),
        held_until = CASE WHEN held <@ ARRAY[${id}]::text[] THEN NULL ELSE held_until END, next_at = least(next_at, ${again})
      WHERE workspace_id = ${workspaceId} AND endpoint_id = ${endpointId}`
  }

  /** Notes what waits now. Behind the first of an ordered lane nothing is due. */
  const add = (workspaceId: WorkspaceId, added: ReadonlyArray<Added>) =>
    sql`WITH added AS (
        SELECT * FROM unnest(${added.map(({ endpoint_id }) => endpoint_id)}::text[],
          ${added.map(({ due_at }) => due_at)}::timestamptz[], ${added.map(({ event_seq }) => event_seq)}::bigint[])
          AS a (endpoint_id, due_at, event_seq)
      ), locked AS MATERIALIZED (
        SELECT endpoint_id FROM outgoing_lanes
        WHERE workspace_id = ${workspaceId} AND endpoint_id = ANY(${added.map(({ endpoint_id }) => endpoint_id)}::text[])
        ORDER BY endpoint_id FOR NO KEY UPDATE
      )
      UPDATE outgoing_lanes l SET from_seq = least(l.from_seq, a.event_seq), next_at = CASE
          WHEN l.is_ordered AND l.from_seq < a.event_seq THEN l.next_at ELSE least(l.next_at, a.due_at) END
      FROM added a JOIN locked k ON k.endpoint_id = a.endpoint_id
      WHERE l.workspace_id = ${workspaceId} AND l.endpoint_id = a.endpoint_id`

  const lock = (workspaceId: WorkspaceId, endpointIds: ReadonlyArray<OutgoingEndpointId>) =>
    sql`SELECT 1 FROM outgoing_lanes WHERE workspace_id = ${workspaceId} AND endpoint_id = ANY(${endpointIds}::text[])
      ORDER BY endpoint_id FOR NO KEY UPDATE`

  return { leave, add, lock }
})
