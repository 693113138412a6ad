import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { OutgoingDeliveryId, OutgoingEndpointId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import type { JudgedAttempt } from "@loopbox/core/outgoing/judgeAttempt"
import type { OutgoingEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import type { EndedAttempt, OutgoingLane } from "@loopbox/core/outgoing/OutgoingQueue"
import { endpointColumnsOf, EndpointRow, toEndpoint, toLogged } from "../../rows/OutgoingRow.ts"
import { oneByOne } from "../../rows/oneByOne.ts"
import { all } from "../../rows/rows.ts"
import type { Append } from "../inbox/EventLog.ts"
import { makeCanceling } from "./canceling.ts"
import { lostLane } from "./readLanes.ts"
import { isPending, logBefore, unleased } from "./settleDeliveries.ts"

/** Attempts of a lane that have ended, and how they are judged. */
export interface EndedLane {
  readonly lane: OutgoingLane
  readonly ended: ReadonlyArray<EndedAttempt>
  readonly judge: (endpoint: OutgoingEndpoint, ended: EndedAttempt) => JudgedAttempt
  readonly now: DateTime.Utc
}

interface Judged {
  readonly lane: OutgoingLane
  readonly endpoint: OutgoingEndpoint
  /** It was not disabled before. */
  readonly isDisabled: boolean
  readonly attempts: ReadonlyArray<EndedAttempt & { readonly judged: JudgedAttempt }>
}

const HeldRow = Schema.Struct({ ...EndpointRow.fields, token: Schema.NullOr(Schema.String) })
const OpenRow = Schema.Struct({ id: OutgoingDeliveryId, attempts: Schema.Int })
const LaneRow = Schema.Struct({ endpoint_id: OutgoingEndpointId })

/**
 * The first of some moments. The client can't tell the type of an array that has nothing but null, and a distributed database
 * takes no text of a row for a moment: one that is none is the infinite one.
 */
const isoOrInfinity = (moments: ReadonlyArray<DateTime.Utc>): string =>
  moments.length === 0 ? "infinity" : DateTime.formatIso(moments.reduce((a, b) => DateTime.min(a, b)))

const laneName = ({ endpointId, token }: OutgoingLane): string => token + endpointId

/** Judges the attempts of a lane one after the other, each by what the one before made of the endpoint. */
const judgeAll = (before: OutgoingEndpoint, { judge, lane }: EndedLane, open: ReadonlyArray<EndedAttempt>): Judged => {
  let endpoint = before
  const attempts = open.map((one) => {
    const judged = judge(endpoint, one)
    endpoint = judged.endpoint
    return { ...one, judged }
  })
  return { lane, endpoint, attempts, isDisabled: endpoint.status === "disabled" && before.status !== "disabled" }
}

/** Ends attempts of many lanes of one workspace in a transaction of the caller. */
export const makeSettleLanes = Effect.gen(function* () {
  const sql = yield* SqlClient
  const canceling = yield* makeCanceling
  const columns = sql.literal(endpointColumnsOf("e"))

  /** Locks the endpoints; those of lanes that are somebody else's by now are left out. */
  const held = Effect.fnUntraced(function* (workspaceId: WorkspaceId, given: ReadonlyArray<EndedLane>) {
    const rows = yield* all(HeldRow)(sql`SELECT ${columns}, l.held[1] AS token
      FROM outgoing_endpoints e JOIN outgoing_lanes l ON l.endpoint_id = e.id
      WHERE e.workspace_id = ${workspaceId} AND l.workspace_id = ${workspaceId}
        AND e.id = ANY(${given.map(({ lane }) => lane.endpointId)}::text[]) AND e.removed_at IS NULL
      ORDER BY e.id FOR NO KEY UPDATE OF e`)
    const known = new Map(rows.map((row) => [`${row.token}${row.id}`, toEndpoint(row)]))
    return given.flatMap((one) => {
      const endpoint = known.get(laneName(one.lane))
      return endpoint === undefined ? [] : [{ one, endpoint }]
    })
  })

  const findOpen = Effect.fnUntraced(function* (workspaceId: WorkspaceId, given: ReadonlyArray<EndedLane>) {
    const ids = given.flatMap(({ ended }) => ended.map(({ delivery }) => delivery.id))
    const rows = yield* all(OpenRow)(sql`SELECT d.id, d.attempts
      FROM unnest(${ids}::text[]) WITH ORDINALITY AS c (id, place)
      JOIN outgoing_deliveries d ON d.workspace_id = ${workspaceId} AND d.id = c.id COLLATE "C"
      WHERE ${oneByOne(sql, sql`c.place`)} AND ${sql.literal(isPending)}`)
    const attempts = new Map(rows.map((row) => [row.id, row.attempts]))
    return ({ delivery }: EndedAttempt): boolean => attempts.get(delivery.id) === delivery.attempts
  })

  /** Notes in the lanes when the first of them is due again. Answers those that are still held, which are locked then. */
  const noteRetries = Effect.fnUntraced(function* (workspaceId: WorkspaceId, given: ReadonlyArray<Judged>) {
    const retries = given.map(({ attempts }) =>
      isoOrInfinity(attempts.flatMap(({ judged }) => Option.toArray(judged.nextAttemptAt)))
    )
    const ids = given.map(({ lane }) => lane.endpointId)
    const rows = yield* all(LaneRow)(sql`
      WITH given AS (
        SELECT * FROM unnest(${ids}::text[], ${given.map(({ lane }) => lane.token)}::text[], ${retries}::timestamptz[])
          AS g (endpoint_id, token, retry)
      ), locked AS MATERIALIZED (
        SELECT endpoint_id, held FROM outgoing_lanes
        WHERE workspace_id = ${workspaceId} AND endpoint_id = ANY(${ids}::text[]) ORDER BY endpoint_id FOR NO KEY UPDATE
      )
      UPDATE outgoing_lanes l SET next_at = least(l.next_at, nullif(g.retry, 'infinity'))
      FROM given g JOIN locked k ON k.endpoint_id = g.endpoint_id AND k.held = ARRAY[g.token]
      WHERE l.workspace_id = ${workspaceId} AND l.endpoint_id = g.endpoint_id RETURNING l.endpoint_id`)
    const own = new Set(rows.map((row) => row.endpoint_id))
    return given.filter(({ lane }) => own.has(lane.endpointId))
  })

  const writeAttempts = (workspaceId: WorkspaceId, attempts: Judged["attempts"]) =>
    sql`UPDATE outgoing_deliveries d SET status = c.status, attempts = d.attempts + 1,
        attempts_in_schedule = c.in_schedule, due_at = nullif(c.due_at, 'infinity'), ${sql.literal(unleased)},
        log = ${sql.literal(logBefore)} || c.attempt
      FROM unnest(${attempts.map(({ delivery }) => delivery.id)}::text[],
        ${attempts.map(({ judged }) => judged.status)}::text[],
        ${attempts.map(({ judged }) => judged.attemptsInSchedule)}::int[],
        ${attempts.map(({ judged }) => isoOrInfinity(Option.toArray(judged.nextAttemptAt)))}::timestamptz[],
        ${attempts.map(({ attempt }) => toLogged(attempt))}::jsonb[])
        WITH ORDINALITY AS c (id, status, in_schedule, due_at, attempt, place)
      WHERE d.workspace_id = ${workspaceId} AND d.id = c.id AND ${oneByOne(sql, sql`c.place`)}`

  const writeEndpoints = (workspaceId: WorkspaceId, endpoints: ReadonlyArray<OutgoingEndpoint>) => {
    const moments = (of: (endpoint: OutgoingEndpoint) => Option.Option<DateTime.Utc>) =>
      endpoints.map((endpoint) => isoOrInfinity(Option.toArray(of(endpoint))))
    return sql`UPDATE outgoing_endpoints e SET status = c.status, status_reason = nullif(c.reason, ''),
        last_success_at = nullif(c.success, 'infinity'), last_failure_at = nullif(c.failure, 'infinity'),
        failing_since = nullif(c.since, 'infinity'), failures_in_row = c.in_row
      FROM unnest(${endpoints.map(({ id }) => id)}::text[], ${endpoints.map(({ status }) => status)}::text[],
        ${endpoints.map(({ statusReason }) => Option.getOrElse(statusReason, () => ""))}::text[],
        ${moments(({ lastSuccessAt }) => lastSuccessAt)}::timestamptz[],
        ${moments(({ lastFailureAt }) => lastFailureAt)}::timestamptz[],
        ${moments(({ failingSince }) => failingSince)}::timestamptz[],
        ${endpoints.map(({ failuresInRow }) => failuresInRow)}::int[])
        AS c (id, status, reason, success, failure, since, in_row)
      WHERE e.workspace_id = ${workspaceId} AND e.id = c.id`
  }

  /** One result for each that is given, in the same order. */
  return Effect.fnUntraced(function* (workspaceId: WorkspaceId, given: ReadonlyArray<EndedLane>, append: Append) {
    const found = yield* held(workspaceId, given)
    const isOpen = yield* findOpen(
      workspaceId,
      found.map(({ one }) => one)
    )
    const judged = found.map(({ endpoint, one }) => judgeAll(endpoint, one, one.ended.filter(isOpen)))
    const disabled = judged.flatMap(({ isDisabled, lane }) => (isDisabled ? [lane.endpointId] : []))
    if (disabled.length > 0) {
      // Deliveries that are being written just now are waited for, and canceled with the others.
      yield* sql`SELECT 1 FROM outgoing_endpoints WHERE workspace_id = ${workspaceId}
        AND id = ANY(${disabled}::text[]) ORDER BY id FOR UPDATE`
    }
    const own = judged.length === 0 ? [] : yield* noteRetries(workspaceId, judged)
    const changed = own.filter(({ attempts }) => attempts.length > 0)
    const attempts = changed.flatMap((one) => one.attempts)
    if (attempts.length > 0) {
      yield* writeAttempts(workspaceId, attempts)
      yield* writeEndpoints(
        workspaceId,
        changed.map(({ endpoint }) => endpoint)
      )
    }
    for (const { isDisabled, lane } of changed) if (isDisabled) yield* canceling.cancel(workspaceId, lane.endpointId)
    const events = attempts.flatMap((one) => one.judged.events)
    const [first, ...others] = given
    if (events.length > 0 && first !== undefined) {
      yield* append(
        events,
        others.reduce((latest, { now }) => DateTime.max(latest, now), first.now)
      )
    }
    const isOwn = new Set(own.map(({ lane }) => laneName(lane)))
    return given.map(({ lane }): Result.Result<void, LeaseLost> =>
      isOwn.has(laneName(lane)) ? Result.void : Result.fail(lostLane(lane))
    )
  })
})
