import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { OutgoingDeliveryId, OutgoingEndpointId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { all, at } from "../../rows/rows.ts"
import { makeOverAll } from "../../connection/allWorkspaces.ts"

const EndpointRow = Schema.Struct({ workspace_id: WorkspaceId, id: OutgoingEndpointId })
const DeliveryRow = Schema.Struct({ workspace_id: WorkspaceId, id: OutgoingDeliveryId })

/** Rows of one statement. */
const batch = 1_000

/**
 * Removing endpoints: at once hidden from every reader and from claims, with their secrets; their deliveries, which may be
 * millions, go in batches afterwards, and what is left of the endpoint's row goes last.
 */
export const makeRemoveEndpoints = Effect.gen(function* () {
  const sql = yield* SqlClient
  const overAll = yield* makeOverAll

  /** Hides those that fit a condition, in a transaction of the caller. Answers how many. */
  const hide = Effect.fnUntraced(function* (workspaceId: WorkspaceId, which: Fragment, now: DateTime.Utc) {
    const found = yield* all(EndpointRow)(sql`SELECT workspace_id, id FROM outgoing_endpoints
      WHERE workspace_id = ${workspaceId} AND ${which} AND removed_at IS NULL ORDER BY id FOR UPDATE`)
    if (found.length === 0) return 0
    const ids = found.map(({ id }) => id)
    const ofThem = sql`workspace_id = ${workspaceId} AND endpoint_id = ANY(${ids}::text[])`
    yield* sql`UPDATE outgoing_endpoints SET removed_at = ${at(now)}, url = '', events = NULL, description = NULL,
        external_user_id = NULL
      WHERE workspace_id = ${workspaceId} AND id = ANY(${ids}::text[])`
    yield* sql`DELETE FROM outgoing_secrets WHERE ${ofThem}`
    yield* sql`DELETE FROM outgoing_lanes WHERE ${ofThem}`
    return ids.length
  })

  const removeOf = (workspaceId: WorkspaceId, id: OutgoingEndpointId, limit: number) =>
    sql`WITH batch AS MATERIALIZED (
        SELECT ctid AS place FROM outgoing_deliveries
        WHERE workspace_id = ${workspaceId} AND endpoint_id = ${id} LIMIT ${sql.literal(`${limit}`)}
      )
      DELETE FROM outgoing_deliveries WHERE workspace_id = ${workspaceId} AND ctid = ANY(ARRAY(SELECT place FROM batch)) RETURNING 1`

  /** Removes at most `limit` deliveries of hidden endpoints, in steps of their own. Answers how many. */
  const removeRest = Effect.fnUntraced(function* (limit: number) {
    let removed = 0
    while (removed < limit) {
      const [found] = yield* overAll("outgoing.removed", (among) =>
        all(EndpointRow)(sql`SELECT workspace_id, id FROM outgoing_endpoints
          WHERE removed_at IS NOT NULL ${among("workspace_id")} ORDER BY removed_at, workspace_id, id LIMIT 1`)
      )
      if (found === undefined) break
      const room = Math.min(batch, limit - removed)
      const gone = yield* removeOf(found.workspace_id, found.id, room)
      removed += gone.length
      if (gone.length === room) continue
      yield* sql`DELETE FROM outgoing_endpoints WHERE workspace_id = ${found.workspace_id} AND id = ${found.id}`
    }
    return removed
  })

  /** Removes at most `limit` deliveries that were made before, and have ended. */
  const removeOlder = Effect.fnUntraced(function* (before: DateTime.Utc, limit: number) {
    let removed = 0
    for (let isMore = true; isMore && removed < limit;) {
      const room = Math.min(batch, limit - removed)
      const old = yield* overAll("outgoing.old", (among) =>
        all(DeliveryRow)(sql`SELECT workspace_id, id FROM outgoing_deliveries
          WHERE created_at < ${at(before)} AND due_at IS NULL ${among("workspace_id")}
          ORDER BY created_at LIMIT ${sql.literal(`${room}`)}`)
      )
      for (const [workspaceId, rows] of Map.groupBy(old, (row) => row.workspace_id)) {
        const gone = yield* sql`DELETE FROM outgoing_deliveries WHERE workspace_id = ${workspaceId}
          AND id = ANY(${rows.map(({ id }) => id)}::text[]) AND created_at < ${at(before)} AND due_at IS NULL RETURNING 1`
        removed += gone.length
      }
      isMore = old.length === room
    }
    return removed
  })

  return { hide, removeRest, removeOlder }
})
