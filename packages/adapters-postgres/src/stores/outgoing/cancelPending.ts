import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { OutgoingEndpointId, WorkspaceId } from "@loopbox/core/kernel/Ids"

/** A backlog of days is canceled in one transaction; it may take longer than a request's statement. */
export const cancelTimeout = Duration.seconds(60)

/** Makes what ends all that waits for an endpoint, in a transaction of its caller that has locked the endpoint. */
export const makeCancelPending = Effect.map(SqlClient, (sql) =>
  Effect.fnUntraced(function* (workspaceId: WorkspaceId, endpointId: OutgoingEndpointId) {
    const own = sql`workspace_id = ${workspaceId} AND endpoint_id = ${endpointId}`
    yield* sql`SET LOCAL statement_timeout = ${sql.literal(`${Duration.toMillis(cancelTimeout)}`)}`
    yield* sql`UPDATE outgoing_lanes SET next_at = NULL, from_seq = NULL, is_full = false, held = '{}', held_until = NULL
      WHERE ${own}`
    yield* sql`UPDATE outgoing_deliveries SET status = 'canceled', due_at = NULL, lease_until = NULL, lease_token = NULL
      WHERE ${own} AND due_at IS NOT NULL`
  })
)
