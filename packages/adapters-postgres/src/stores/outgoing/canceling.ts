import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { OutgoingEndpointId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { all } from "../../rows/rows.ts"
import { makeOverAll } from "../../connection/allWorkspaces.ts"

const LaneRow = Schema.Struct({ workspace_id: WorkspaceId, endpoint_id: OutgoingEndpointId, epoch: Schema.Int })
const HeldRow = Schema.Struct({ held: Schema.Array(Schema.String) })

/** Rows of one statement. */
const batch = 1_000

/**
 * Ending all that waits for an endpoint. That is decided at once, by the lane's epoch, however much it is: a backlog of days
 * would hold the endpoint's locks for longer than a lease. The rows of a long one say so later, in batches.
 */
export const makeCanceling = Effect.gen(function* () {
  const sql = yield* SqlClient
  const overAll = yield* makeOverAll

  const canceled = sql.literal("status = 'canceled', due_at = NULL, lease_until = NULL, lease_token = NULL")

  const cancelBatch = (workspaceId: WorkspaceId, id: OutgoingEndpointId, limit: number) =>
    sql`WITH batch AS MATERIALIZED (
        SELECT ctid AS place FROM outgoing_deliveries
        WHERE workspace_id = ${workspaceId} AND endpoint_id = ${id} AND due_at IS NOT NULL
          AND epoch < (SELECT epoch FROM outgoing_lanes WHERE workspace_id = ${workspaceId} AND endpoint_id = ${id})
        LIMIT ${sql.literal(`${limit}`)}
      )
      UPDATE outgoing_deliveries SET ${canceled}
      WHERE workspace_id = ${workspaceId} AND ctid = ANY(ARRAY(SELECT place FROM batch)) AND status = 'pending' RETURNING 1`

  /** In a transaction of the caller, which has locked the endpoint. What is being sent loses its lease. */
  const cancel = Effect.fnUntraced(function* (workspaceId: WorkspaceId, id: OutgoingEndpointId) {
    const own = sql`workspace_id = ${workspaceId} AND endpoint_id = ${id}`
    const lanes = yield* all(HeldRow)(sql`SELECT held FROM outgoing_lanes WHERE ${own} FOR NO KEY UPDATE`)
    const held = lanes.flatMap((lane) => lane.held)
    yield* sql`UPDATE outgoing_lanes SET epoch = epoch + 1, has_canceled = true, next_at = NULL, from_seq = NULL,
      is_full = false, held = '{}', held_until = NULL WHERE ${own}`
    yield* sql`UPDATE outgoing_deliveries SET ${canceled}
      WHERE workspace_id = ${workspaceId} AND id = ANY(${held}::text[]) AND status = 'pending'`
    const some = yield* cancelBatch(workspaceId, id, batch)
    if (some.length < batch) yield* sql`UPDATE outgoing_lanes SET has_canceled = false WHERE ${own}`
  })

  /** Marks at most `limit` rows, in steps of their own. */
  const rest = Effect.fnUntraced(function* (limit: number) {
    for (let marked = 0; marked < limit;) {
      const [lane] = yield* overAll("outgoing.canceled", (among) =>
        all(LaneRow)(sql`SELECT workspace_id, endpoint_id, epoch FROM outgoing_lanes
          WHERE has_canceled ${among("workspace_id")} LIMIT 1`)
      )
      if (lane === undefined) return
      const { endpoint_id: id, epoch, workspace_id: workspaceId } = lane
      const some = yield* cancelBatch(workspaceId, id, batch)
      marked += batch
      if (some.length > 0) continue
      yield* sql`UPDATE outgoing_lanes SET has_canceled = false
        WHERE workspace_id = ${workspaceId} AND endpoint_id = ${id} AND epoch = ${epoch}`
    }
  })

  return { cancel, rest }
})
