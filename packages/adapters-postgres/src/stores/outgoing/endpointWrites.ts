import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { SealedCredentials } from "@loopbox/core/accounts/CredentialVault"
import type { OutgoingEndpointId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { OutgoingEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import { endpointColumns, EndpointRow, toEndpoint, toEndpointColumns } from "../../rows/OutgoingRow.ts"
import { at, first } from "../../rows/rows.ts"
import { makeHoldOwner } from "../access/holdOwner.ts"
import { makeAppendAudit } from "../audit/appendAudit.ts"
import { makeCanceling } from "./canceling.ts"
import { makeRemoveEndpoints } from "./removeEndpoints.ts"

const isMoved = (before: OutgoingEndpoint, after: OutgoingEndpoint): boolean =>
  !Equal.equals(before.externalUserId, after.externalUserId)

/** Writes endpoints, in transactions of its callers. */
export const makeEndpointWrites = Effect.gen(function* () {
  const sql = yield* SqlClient
  const audit = yield* makeAppendAudit
  const canceling = yield* makeCanceling
  const removing = yield* makeRemoveEndpoints
  const { holdOwner } = yield* makeHoldOwner
  const columns = sql.literal(endpointColumns)

  const lastEvent = (workspaceId: WorkspaceId) =>
    sql`coalesce((SELECT last FROM workspace_seq WHERE workspace_id = ${workspaceId}), 0)`

  const lockPosition = (workspaceId: WorkspaceId) =>
    sql`SELECT 1 FROM outgoing_positions WHERE workspace_id = ${workspaceId} FOR NO KEY UPDATE`

  /** Where nobody listened, events that were written meanwhile are nobody's. */
  const skipUnheard = (workspaceId: WorkspaceId) =>
    sql`UPDATE outgoing_positions SET position = ${lastEvent(workspaceId)}
      WHERE workspace_id = ${workspaceId} AND NOT EXISTS (SELECT 1 FROM outgoing_endpoints e
        WHERE e.workspace_id = ${workspaceId} AND e.status <> 'disabled' AND e.removed_at IS NULL)`

  const addSecret = (workspaceId: WorkspaceId, id: OutgoingEndpointId, secret: SealedCredentials) =>
    sql`INSERT INTO outgoing_secrets (workspace_id, endpoint_id, number, sealed)
      SELECT ${workspaceId}::text, ${id}::text, coalesce(max(number), 0) + 1, ${secret}::text FROM outgoing_secrets
      WHERE workspace_id = ${workspaceId} AND endpoint_id = ${id}`

  const insert = Effect.fnUntraced(function* (endpoint: OutgoingEndpoint, secret: SealedCredentials) {
    const { id, workspaceId } = endpoint
    if (!(yield* holdOwner(workspaceId, endpoint.externalUserId))) return false
    yield* sql`INSERT INTO outgoing_positions (workspace_id, position)
      SELECT ${workspaceId}::text, ${lastEvent(workspaceId)} ON CONFLICT (workspace_id) DO NOTHING`
    yield* lockPosition(workspaceId)
    yield* skipUnheard(workspaceId)
    yield* sql`INSERT INTO outgoing_endpoints ${sql.insert({
      ...toEndpointColumns(endpoint),
      workspace_id: workspaceId,
      id,
      since_seq: 0,
      created_at: at(endpoint.createdAt)
    })}`
    yield* sql`UPDATE outgoing_endpoints SET since_seq = ${lastEvent(workspaceId)}
      WHERE workspace_id = ${workspaceId} AND id = ${id}`
    yield* sql`INSERT INTO outgoing_lanes (workspace_id, endpoint_id, is_ordered)
      VALUES (${workspaceId}, ${id}, ${endpoint.isOrdered})`
    yield* addSecret(workspaceId, id, secret)
    yield* audit(workspaceId, { action: "webhook_endpoint.created", targetId: id })
    return true
  })

  /** An ordered lane begins at the first that waits, whatever was sent beside it before. */
  const reorder = ({ id, isOrdered, workspaceId }: OutgoingEndpoint, now: DateTime.Utc) =>
    sql`UPDATE outgoing_lanes SET is_ordered = ${isOrdered}, next_at = least(next_at, ${at(now)}),
        from_seq = (SELECT min(event_seq) FROM outgoing_deliveries
          WHERE workspace_id = ${workspaceId} AND endpoint_id = ${id} AND due_at IS NOT NULL
            AND epoch = outgoing_lanes.epoch)
      WHERE workspace_id = ${workspaceId} AND endpoint_id = ${id}`

  const update = Effect.fnUntraced(function* (
    workspaceId: WorkspaceId,
    id: OutgoingEndpointId,
    change: (endpoint: OutgoingEndpoint) => OutgoingEndpoint,
    now: DateTime.Utc
  ) {
    const own = sql`workspace_id = ${workspaceId} AND id = ${id} AND removed_at IS NULL`
    const read = (lock: Fragment) =>
      Effect.map(
        first(EndpointRow)(sql`SELECT ${columns} FROM outgoing_endpoints WHERE ${own} ${lock}`),
        Option.map(toEndpoint)
      )
    const found = yield* read(sql``)
    if (Option.isNone(found)) return Option.none<OutgoingEndpoint>()
    // Whoever gets it is held before the locks that an erasure of that user takes after the user's: also who has it, for it may
    // be another's when it is locked.
    const { externalUserId } = change(found.value)
    if (!(yield* holdOwner(workspaceId, externalUserId))) return Option.none<OutgoingEndpoint>()
    yield* lockPosition(workspaceId)
    const locked = yield* read(sql`FOR UPDATE`)
    if (Option.isNone(locked)) return Option.none<OutgoingEndpoint>()
    const before = locked.value
    const after = change(before)
    if (Equal.equals(before, after)) return Option.some(before)
    const [was, is] = [before.status === "disabled", after.status === "disabled"]
    const isMovedNow = isMoved(before, after)
    if (was && !is) yield* skipUnheard(workspaceId)
    const since = (was && !is) || isMovedNow ? lastEvent(workspaceId) : sql`since_seq`
    yield* sql`UPDATE outgoing_endpoints SET ${sql.update(toEndpointColumns(after))}, since_seq = ${since} WHERE ${own}`
    if (before.isOrdered !== after.isOrdered) {
      yield* sql`SELECT 1 FROM outgoing_lanes WHERE workspace_id = ${workspaceId} AND endpoint_id = ${id}
        FOR NO KEY UPDATE`
      yield* reorder(after, now)
    }
    // What waits was for whom it belonged to.
    if ((is && !was) || isMovedNow) yield* canceling.cancel(workspaceId, id)
    yield* audit(workspaceId, { action: "webhook_endpoint.updated", targetId: id })
    return Option.some(after)
  })

  const rotate = Effect.fnUntraced(function* (
    workspaceId: WorkspaceId,
    id: OutgoingEndpointId,
    secret: SealedCredentials,
    oldUntil: DateTime.Utc
  ) {
    const found = yield* sql`SELECT 1 FROM outgoing_endpoints
      WHERE workspace_id = ${workspaceId} AND id = ${id} AND removed_at IS NULL FOR NO KEY UPDATE`
    if (found.length === 0) return false
    yield* sql`UPDATE outgoing_secrets SET valid_until = ${at(oldUntil)}
      WHERE workspace_id = ${workspaceId} AND endpoint_id = ${id} AND valid_until IS NULL`
    yield* addSecret(workspaceId, id, secret)
    yield* audit(workspaceId, { action: "webhook_endpoint.secret_rotated", targetId: id })
    return true
  })

  return { insert, update, rotate, hide: removing.hide, removeRest: removing.removeRest, cancelRest: canceling.rest }
})
