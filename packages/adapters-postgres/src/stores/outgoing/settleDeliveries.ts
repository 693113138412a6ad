import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import type { JudgedAttempt } from "@loopbox/core/outgoing/judgeAttempt"
import type { AttemptRecord } from "@loopbox/core/outgoing/OutgoingDelivery"
import type { OutgoingEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import type { OutgoingClaim } from "@loopbox/core/outgoing/OutgoingQueue"
import { endpointColumns, EndpointRow, toEndpoint, toEndpointColumns, toLogged } from "../../rows/OutgoingRow.ts"
import { all, at, first } from "../../rows/rows.ts"
import type { Append } from "../inbox/EventLog.ts"
import { makeCanceling } from "./canceling.ts"
import { makeLanes } from "./lanes.ts"

/** Attempts that a delivery's log keeps: the newest. Only one that is asked for again and again has more. */
const loggedAtMost = 100

export interface Ended {
  readonly claim: OutgoingClaim
  readonly attempt: AttemptRecord
}

const IdRow = Schema.Struct({ id: Schema.String })

const lost = ({ delivery: { id } }: OutgoingClaim) => new LeaseLost({ what: "delivery", id })

/** How claims end, each in a transaction of its caller. */
export const makeSettleDeliveries = Effect.gen(function* () {
  const sql = yield* SqlClient
  const lanes = yield* makeLanes
  const canceling = yield* makeCanceling
  const columns = sql.literal(endpointColumns)
  const log = sql.literal(`CASE WHEN jsonb_array_length(d.log) >= ${loggedAtMost} THEN d.log - 0 ELSE d.log END`)

  /** Ends the lease with these changes, where the claim still holds it. */
  const end = Effect.fnUntraced(function* (claim: OutgoingClaim, changes: Fragment) {
    const { id, workspaceId } = claim.delivery
    const ended = yield* sql`UPDATE outgoing_deliveries d SET lease_until = NULL, lease_token = NULL, ${changes}
      WHERE workspace_id = ${workspaceId} AND id = ${id} AND lease_token = ${claim.token} RETURNING 1`
    if (ended.length === 0) return yield* lost(claim)
  })

  const findEndpoint = ({ delivery: { endpointId, workspaceId } }: OutgoingClaim) =>
    first(EndpointRow)(sql`SELECT ${columns} FROM outgoing_endpoints
      WHERE workspace_id = ${workspaceId} AND id = ${endpointId} AND removed_at IS NULL FOR NO KEY UPDATE`)

  const settle = Effect.fnUntraced(function* (
    claim: OutgoingClaim,
    attempt: AttemptRecord,
    judge: (endpoint: OutgoingEndpoint) => JudgedAttempt,
    now: DateTime.Utc,
    append: Append
  ) {
    const { endpointId, workspaceId } = claim.delivery
    const row = yield* findEndpoint(claim)
    if (Option.isNone(row)) return yield* lost(claim)
    const judged = judge(toEndpoint(row.value))
    const { attemptsInSchedule, endpoint, nextAttemptAt, status } = judged
    const own = sql`workspace_id = ${workspaceId} AND id = ${endpointId}`
    const isDisabled = endpoint.status === "disabled" && row.value.status !== "disabled"
    // Deliveries that are being written just now are waited for, and canceled with the others.
    if (isDisabled) yield* sql`SELECT 1 FROM outgoing_endpoints WHERE ${own} FOR UPDATE`
    yield* lanes.leave(claim.delivery, {
      now,
      ...Option.match(nextAttemptAt, { onNone: () => ({}), onSome: (retryAt) => ({ retryAt }) })
    })
    yield* end(
      claim,
      sql`status = ${status}, attempts = d.attempts + 1, attempts_in_schedule = ${attemptsInSchedule}::int,
        due_at = ${Option.getOrNull(Option.map(nextAttemptAt, at))}, log = ${log} || ${toLogged(attempt)}::jsonb`
    )
    yield* sql`UPDATE outgoing_endpoints SET ${sql.update(toEndpointColumns(endpoint))} WHERE ${own}`
    if (isDisabled) yield* canceling.cancel(workspaceId, endpointId)
    if (judged.events.length > 0) yield* append(judged.events, now)
  })

  /** Of one workspace. Locks in the order of endpoints, so that two batches never wait for each other. */
  const succeed = Effect.fnUntraced(function* (
    workspaceId: WorkspaceId,
    ended: ReadonlyArray<Ended>,
    now: DateTime.Utc
  ) {
    const deliveries = ended.map(({ claim }) => claim.delivery)
    yield* sql`SELECT 1 FROM outgoing_endpoints e JOIN outgoing_lanes l ON l.endpoint_id = e.id
      WHERE e.workspace_id = ${workspaceId} AND l.workspace_id = ${workspaceId}
        AND e.id = ANY(${deliveries.map(({ endpointId }) => endpointId)}::text[]) AND e.removed_at IS NULL
      ORDER BY e.id FOR NO KEY UPDATE`
    const done = yield* all(IdRow)(sql`
      WITH done AS (
        UPDATE outgoing_deliveries d SET status = 'delivered', attempts = d.attempts + 1,
          attempts_in_schedule = d.attempts_in_schedule + 1, due_at = NULL, lease_until = NULL, lease_token = NULL,
          log = ${log} || c.attempt
        FROM unnest(${deliveries.map(({ id }) => id)}::text[], ${ended.map(({ claim }) => claim.token)}::text[],
          ${ended.map(({ attempt }) => toLogged(attempt))}::jsonb[]) AS c (id, token, attempt)
        WHERE d.workspace_id = ${workspaceId} AND d.id = c.id AND d.lease_token = c.token RETURNING d.id, d.endpoint_id
      ), ended AS MATERIALIZED (
        SELECT endpoint_id, array_agg(id::text) AS ids FROM done GROUP BY endpoint_id
      ), left_lanes AS (
        UPDATE outgoing_lanes l SET is_full = false, held = h.held,
          held_until = CASE WHEN h.held = '{}' THEN NULL ELSE l.held_until END,
          next_at = least(l.next_at, CASE WHEN l.is_ordered THEN ${at(now)}::timestamptz END)
        FROM ended e CROSS JOIN LATERAL (SELECT ARRAY(SELECT unnest(o.held) EXCEPT SELECT unnest(e.ids)) AS held
          FROM outgoing_lanes o WHERE o.workspace_id = ${workspaceId} AND o.endpoint_id = e.endpoint_id) h
        WHERE l.workspace_id = ${workspaceId} AND l.endpoint_id = e.endpoint_id
      ), well AS (
        UPDATE outgoing_endpoints e SET status = CASE WHEN e.status = 'disabled' THEN 'disabled' ELSE 'enabled' END,
          last_success_at = ${at(now)}, failing_since = NULL, failures_in_row = 0
        FROM ended d WHERE e.workspace_id = ${workspaceId} AND e.id = d.endpoint_id
      )
      SELECT id FROM done`)
    const isDone = new Set(done.map(({ id }) => id))
    return ended.map(({ claim }) => (isDone.has(claim.delivery.id) ? Result.void : Result.fail(lost(claim))))
  })

  const cancel = Effect.fnUntraced(function* (claim: OutgoingClaim, now: DateTime.Utc) {
    yield* lanes.leave(claim.delivery, { now })
    yield* end(claim, sql`status = 'canceled', due_at = NULL`)
  })

  const release = Effect.fnUntraced(function* (claim: OutgoingClaim, now: DateTime.Utc) {
    yield* lanes.leave(claim.delivery, { now, retryAt: Option.getOrElse(claim.delivery.nextAttemptAt, () => now) })
    yield* end(claim, sql`status = 'pending'`)
  })

  return { settle, succeed, cancel, release }
})
