import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { OutgoingEndpointId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { OutgoingDelivery } from "@loopbox/core/outgoing/OutgoingDelivery"
import type { EndedAttempt, OutgoingLane } from "@loopbox/core/outgoing/OutgoingQueue"
import { toLogged } from "../../rows/OutgoingRow.ts"
import { oneByOne } from "../../rows/oneByOne.ts"
import { all, at } from "../../rows/rows.ts"
import { lostLane } from "./readLanes.ts"

/** Attempts that a delivery's log keeps: the newest. Only one that is asked for again and again has more. */
const loggedAtMost = 100

export interface Ended extends EndedAttempt {
  readonly lane: OutgoingLane
}

const LaneRow = Schema.Struct({ endpoint_id: OutgoingEndpointId, token: Schema.String })

/** A delivery's log, with room for one attempt. */
export const logBefore = `CASE WHEN jsonb_array_length(d.log) >= ${loggedAtMost} THEN d.log - 0 ELSE d.log END`

/** Older versions lease deliveries. */
export const unleased = "lease_until = NULL, lease_token = NULL"

/** Of a delivery that is found by its id. No index answers it: by one all that wait would be read, for they are thought to be few. */
export const isPending = "coalesce(d.status, '') = 'pending'"

/** How deliveries end that are delivered, or canceled, each in a transaction of its caller. */
export const makeSettleDeliveries = Effect.gen(function* () {
  const sql = yield* SqlClient
  /**
   * Of one workspace, in one statement: thousands of deliveries end every second. It locks endpoints before deliveries, as
   * whoever disables one does; a delivery that was canceled while it waited stays so.
   */
  const succeed = Effect.fnUntraced(function* (
    workspaceId: WorkspaceId,
    ended: ReadonlyArray<Ended>,
    now: DateTime.Utc
  ) {
    const lanes = Array.from(new Map(ended.map(({ lane }) => [lane.token + lane.endpointId, lane])).values())
    const held = yield* all(LaneRow)(sql`
      WITH locked AS MATERIALIZED (
        SELECT e.id FROM outgoing_endpoints e
        WHERE e.workspace_id = ${workspaceId} AND e.id = ANY(${lanes.map(({ endpointId }) => endpointId)}::text[])
          AND e.removed_at IS NULL ORDER BY e.id FOR NO KEY UPDATE
      ), held AS MATERIALIZED (
        SELECT l.endpoint_id, c.token FROM unnest(${lanes.map(({ endpointId }) => endpointId)}::text[],
            ${lanes.map(({ token }) => token)}::text[]) AS c (endpoint_id, token)
          JOIN outgoing_lanes l ON l.workspace_id = ${workspaceId} AND l.endpoint_id = c.endpoint_id COLLATE "C"
        WHERE l.held = ARRAY[c.token] AND c.endpoint_id IN (SELECT id FROM locked)
      ), done AS (
        UPDATE outgoing_deliveries d SET status = 'delivered', attempts = d.attempts + 1,
          attempts_in_schedule = d.attempts_in_schedule + 1, due_at = NULL, ${sql.literal(unleased)}, log = ${sql.literal(logBefore)} || c.attempt
        FROM unnest(${ended.map(({ delivery }) => delivery.id)}::text[],
            ${ended.map(({ delivery }) => delivery.attempts)}::int[],
            ${ended.map(({ lane }) => lane.endpointId)}::text[], ${ended.map(({ lane }) => lane.token)}::text[],
            ${ended.map(({ attempt }) => toLogged(attempt))}::jsonb[])
          WITH ORDINALITY AS c (id, attempts, endpoint_id, token, attempt, place)
        WHERE d.workspace_id = ${workspaceId} AND d.id = c.id AND ${oneByOne(sql, sql`c.place`)}
          AND d.attempts = c.attempts AND ${sql.literal(isPending)}
          AND (c.endpoint_id, c.token) IN (SELECT endpoint_id, token FROM held)
        RETURNING d.endpoint_id
      ), well AS (
        UPDATE outgoing_endpoints e SET status = CASE WHEN e.status = 'disabled' THEN 'disabled' ELSE 'enabled' END,
          last_success_at = ${at(now)}, failing_since = NULL, failures_in_row = 0
        WHERE e.workspace_id = ${workspaceId} AND e.id IN (SELECT endpoint_id FROM done)
      )
      SELECT endpoint_id, token FROM held`)
    const isHeld = new Set(held.map((lane) => lane.token + lane.endpoint_id))
    return ended.map(({ lane }) =>
      isHeld.has(lane.token + lane.endpointId) ? Result.void : Result.fail(lostLane(lane))
    )
  })

  const cancel = Effect.fnUntraced(function* (lane: OutgoingLane, { id }: OutgoingDelivery) {
    const { endpointId, token, workspaceId } = lane
    const held = yield* sql`
      WITH held AS MATERIALIZED (
        SELECT endpoint_id FROM outgoing_lanes WHERE workspace_id = ${workspaceId} AND endpoint_id = ${endpointId}
          AND held = ARRAY[${token}::text]
      ), done AS (
        UPDATE outgoing_deliveries d SET status = 'canceled', due_at = NULL, ${sql.literal(unleased)}
        WHERE d.workspace_id = ${workspaceId} AND d.id = ${id} AND d.status = 'pending'
          AND d.endpoint_id IN (SELECT endpoint_id FROM held)
      )
      SELECT 1 FROM held`
    if (held.length === 0) return yield* lostLane(lane)
  })

  return { succeed, cancel }
})
