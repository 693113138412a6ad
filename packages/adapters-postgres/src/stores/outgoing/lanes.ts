import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { OutgoingEndpointId, WorkspaceId } from "@loopbox/core/kernel/Ids"

/** What was added to an endpoint's queue: when the first of it is due, and the earliest event. */
export interface Added {
  readonly endpoint_id: string
  readonly due_at: Date
  readonly event_seq: number
}

/**
 * The state of endpoints' queues, by which a claim finds what is due without reading backlogs.
 *
 * Whoever changes what a queue holds changes its lane in the same transaction, and locks it before the deliveries; the
 * order is position, accounts, endpoints, lanes, deliveries, each by id. New values are made of old ones alone, so that
 * they are right whatever was committed while the lane's lock was awaited.
 */
export const makeLanes = Effect.map(SqlClient, (sql) => {
  /**
   * Whether a delivery `d` that is due by then is being sent, or about to be: somebody holds its lane. Such a one is not
   * begun anew.
   */
  const isInHand = (d: Fragment, workspaceId: WorkspaceId, due: Fragment) =>
    sql`(${d}.status = 'pending' AND ${d}.due_at <= ${due} AND EXISTS (SELECT 1 FROM outgoing_lanes l
      WHERE l.workspace_id = ${workspaceId} AND l.endpoint_id = ${d}.endpoint_id AND l.held <> '{}'))`

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

  return { isInHand, add, lock }
})
