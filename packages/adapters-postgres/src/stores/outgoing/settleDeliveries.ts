import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { OutgoingEndpointId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { JudgedAttempt } from "@loopbox/core/outgoing/judgeAttempt"
import type { OutgoingDelivery } from "@loopbox/core/outgoing/OutgoingDelivery"
import type { OutgoingEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import type { EndedAttempt, OutgoingLane } from "@loopbox/core/outgoing/OutgoingQueue"
import { endpointColumns, EndpointRow, toEndpoint, toEndpointColumns, toLogged } from "../../rows/OutgoingRow.ts"
import { all, at, first } from "../../rows/rows.ts"
import type { Append } from "../inbox/EventLog.ts"
import { makeCanceling } from "./canceling.ts"
import { lostLane } from "./readLanes.ts"

/** Attempts that a delivery's log keeps: the newest. Only one that is asked for again and again has more. */
const loggedAtMost = 100

export interface Ended extends EndedAttempt {
  readonly lane: OutgoingLane
}

type Judged = EndedAttempt & { readonly judged: JudgedAttempt }

const IdRow = Schema.Struct({ id: Schema.String })
const LaneRow = Schema.Struct({ endpoint_id: OutgoingEndpointId, token: Schema.String })

/** How attempts end, each in a transaction of its caller. */
export const makeSettleDeliveries = Effect.gen(function* () {
  const sql = yield* SqlClient
  const canceling = yield* makeCanceling
  const columns = sql.literal(endpointColumns)
  const log = sql.literal(`CASE WHEN jsonb_array_length(d.log) >= ${loggedAtMost} THEN d.log - 0 ELSE d.log END`)
  // Older versions lease deliveries.
  const unleased = sql.literal("lease_until = NULL, lease_token = NULL")

  const isOpen = (deliveries: ReadonlyArray<OutgoingDelivery>) =>
    sql`(d.id, d.attempts) IN (SELECT * FROM unnest(${deliveries.map(({ id }) => id)}::text[],
      ${deliveries.map(({ attempts }) => attempts)}::int[])) AND d.status = 'pending'`

  /** Judges one attempt after the other, each by what the one before made of the endpoint. */
  const judgeAll = (
    endpoint: OutgoingEndpoint,
    ended: ReadonlyArray<EndedAttempt>,
    judge: (endpoint: OutgoingEndpoint, ended: EndedAttempt) => JudgedAttempt
  ) => {
    const all: Array<Judged> = []
    let now = endpoint
    for (const one of ended) {
      const judged = judge(now, one)
      now = judged.endpoint
      all.push({ ...one, judged })
    }
    return { all, endpoint: now }
  }

  // The client can't tell the type of an array that has nothing but null, and a distributed database takes no text of a row
  // for a moment: a moment that is none is the infinite one.
  const write = (workspaceId: WorkspaceId, ended: ReadonlyArray<Judged>) =>
    sql`UPDATE outgoing_deliveries d SET status = c.status, attempts = d.attempts + 1,
        attempts_in_schedule = c.in_schedule, due_at = nullif(c.due_at, 'infinity'), ${unleased}, log = ${log} || c.attempt
      FROM unnest(${ended.map(({ delivery }) => delivery.id)}::text[], ${ended.map(({ judged }) => judged.status)}::text[],
        ${ended.map(({ judged }) => judged.attemptsInSchedule)}::int[],
        ${ended.map(({ judged }) => Option.match(judged.nextAttemptAt, { onNone: () => "infinity", onSome: DateTime.formatIso }))}::timestamptz[],
        ${ended.map(({ attempt }) => toLogged(attempt))}::jsonb[]) AS c (id, status, in_schedule, due_at, attempt)
      WHERE d.workspace_id = ${workspaceId} AND d.id = c.id`

  const settle = Effect.fnUntraced(function* (
    lane: OutgoingLane,
    given: ReadonlyArray<EndedAttempt>,
    judge: (endpoint: OutgoingEndpoint, ended: EndedAttempt) => JudgedAttempt,
    now: DateTime.Utc,
    append: Append
  ) {
    const { endpointId, token, workspaceId } = lane
    const own = sql`workspace_id = ${workspaceId} AND id = ${endpointId}`
    const row = yield* first(EndpointRow)(sql`SELECT ${columns} FROM outgoing_endpoints
      WHERE ${own} AND removed_at IS NULL FOR NO KEY UPDATE`)
    if (Option.isNone(row)) return yield* lostLane(lane)
    const open = yield* all(IdRow)(sql`SELECT d.id FROM outgoing_deliveries d
      WHERE d.workspace_id = ${workspaceId} AND ${isOpen(given.map(({ delivery }) => delivery))}`)
    const ids = new Set(open.map(({ id }) => id))
    const judged = judgeAll(
      toEndpoint(row.value),
      given.filter(({ delivery }) => ids.has(delivery.id)),
      judge
    )
    const isDisabled = judged.endpoint.status === "disabled" && row.value.status !== "disabled"
    // Deliveries that are being written just now are waited for, and canceled with the others.
    if (isDisabled) yield* sql`SELECT 1 FROM outgoing_endpoints WHERE ${own} FOR UPDATE`
    const retries = judged.all.flatMap((one) => Option.toArray(Option.map(one.judged.nextAttemptAt, at)))
    const held = yield* sql`UPDATE outgoing_lanes SET next_at = least(next_at,
        (SELECT min(retry) FROM unnest(${retries}::timestamptz[]) AS r (retry)))
      WHERE workspace_id = ${workspaceId} AND endpoint_id = ${endpointId} AND held = ARRAY[${token}::text] RETURNING 1`
    if (held.length === 0) return yield* lostLane(lane)
    if (judged.all.length === 0) return
    yield* write(workspaceId, judged.all)
    yield* sql`UPDATE outgoing_endpoints SET ${sql.update(toEndpointColumns(judged.endpoint))} WHERE ${own}`
    if (isDisabled) yield* canceling.cancel(workspaceId, endpointId)
    const events = judged.all.flatMap((one) => one.judged.events)
    if (events.length > 0) yield* append(events, now)
  })

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
          attempts_in_schedule = d.attempts_in_schedule + 1, due_at = NULL, ${unleased}, log = ${log} || c.attempt
        FROM unnest(${ended.map(({ delivery }) => delivery.id)}::text[],
            ${ended.map(({ delivery }) => delivery.attempts)}::int[],
            ${ended.map(({ lane }) => lane.endpointId)}::text[], ${ended.map(({ lane }) => lane.token)}::text[],
            ${ended.map(({ attempt }) => toLogged(attempt))}::jsonb[]) AS c (id, attempts, endpoint_id, token, attempt)
        WHERE d.workspace_id = ${workspaceId} AND d.id = c.id AND d.attempts = c.attempts AND d.status = 'pending'
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
        UPDATE outgoing_deliveries d SET status = 'canceled', due_at = NULL, ${unleased}
        WHERE d.workspace_id = ${workspaceId} AND d.id = ${id} AND d.status = 'pending'
          AND d.endpoint_id IN (SELECT endpoint_id FROM held)
      )
      SELECT 1 FROM held`
    if (held.length === 0) return yield* lostLane(lane)
  })

  return { settle, succeed, cancel }
})
