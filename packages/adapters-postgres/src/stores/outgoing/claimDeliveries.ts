import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { OutgoingEndpointId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { LeaseRequest } from "@loopbox/core/kernel/lease/claimLoop"
import { atOnceOfEndpoint, type OutgoingClaim } from "@loopbox/core/outgoing/OutgoingQueue"
import { noteUnreadable } from "../../rows/claimReadable.ts"
import {
  deliveryColumnsOf,
  DeliveryRow,
  endpointColumnsOf,
  EndpointRow,
  toDelivery,
  toEndpoint
} from "../../rows/OutgoingRow.ts"
import { all, at, claimLimit } from "../../rows/rows.ts"
import { makeOverAll } from "../../connection/allWorkspaces.ts"

type Request = LeaseRequest & { readonly now: DateTime.Utc }

const LaneRow = Schema.Struct({ workspace_id: WorkspaceId, endpoint_id: OutgoingEndpointId })

const Secrets = Schema.Array(Schema.Struct({ sealed: Schema.String, until: Schema.NullOr(Schema.Finite) }))
const decodeLocked = Schema.decodeUnknownExit(Schema.Struct({ ...EndpointRow.fields, secrets: Secrets }))

/** Workspaces whose queues are looked into at a time. */
const workspacesAtOnce = 4

/** Against queues in which others are faster again and again. */
const maxRounds = 10

/** Where the deliveries of a claim come from: what the lane holds, what waits, and the first of an ordered one. */
const makeTake = Effect.map(SqlClient, (sql) => {
  const places = sql.literal(`${atOnceOfEndpoint}`)
  // One more than there are places: when the next one is due.
  const looked = sql.literal(`${atOnceOfEndpoint + 1}`)
  const columns = sql.literal(deliveryColumnsOf("d"))
  const given = sql.literal("d.id, d.due_at, d.event_seq")

  return (workspaceId: WorkspaceId, lanes: ReadonlyArray<OutgoingEndpointId>, limit: number, request: Request) => {
    const { leaseUntil, token } = request
    const [leaseNow, now] = [at(request.leaseNow), at(request.now)]
    const of = sql`FROM outgoing_deliveries d WHERE d.workspace_id = ${workspaceId}`
    // Those that are held are looked up by their ids. With a condition on due_at the planner may instead read all that
    // waits in the workspace, for each lane, as long as its statistics are of a time when little did.
    const isHeld = sql`d.lease_until > ${leaseNow} AND d.due_at IS NOT NULL`
    return all(DeliveryRow)(sql`
      WITH lane AS MATERIALIZED (
        SELECT l.endpoint_id, l.is_ordered, l.epoch, l.next_at, l.from_seq, l.held, coalesce(s.ids, '{}') AS still, s.until,
          CASE WHEN l.is_ordered THEN 1 ELSE ${places} END AS places
        FROM outgoing_lanes l CROSS JOIN LATERAL (
          SELECT array_agg(d.id::text) FILTER (WHERE ${isHeld}) AS ids, min(d.lease_until) FILTER (WHERE ${isHeld}) AS until
            ${of} AND d.id = ANY(l.held)
        ) s
        WHERE l.workspace_id = ${workspaceId} AND l.endpoint_id = ANY(${lanes}::text[])
      ), found AS MATERIALIZED (
        SELECT l.endpoint_id, l.places - cardinality(l.still) AS free, c.*,
          row_number() OVER (PARTITION BY l.endpoint_id ORDER BY c.due_at, c.id) AS place
        FROM lane l CROSS JOIN LATERAL (
          (SELECT ${given} ${of} AND NOT l.is_ordered AND d.endpoint_id = l.endpoint_id AND d.epoch = l.epoch AND d.due_at >= l.next_at
              AND (d.lease_until IS NULL OR d.lease_until <= ${leaseNow})
            ORDER BY d.due_at, d.id LIMIT ${looked})
          UNION
          (SELECT ${given} FROM (SELECT ${given} ${of} AND d.id = ANY(l.held) OFFSET 0) d
            WHERE NOT l.is_ordered AND d.id <> ALL(l.still) AND d.due_at IS NOT NULL)
          UNION
          (SELECT ${given} ${of} AND l.is_ordered AND cardinality(l.still) = 0 AND d.endpoint_id = l.endpoint_id AND d.epoch = l.epoch
              AND d.event_seq >= l.from_seq AND d.due_at IS NOT NULL ORDER BY d.event_seq LIMIT 1)
        ) c
      ), marked AS MATERIALIZED (
        SELECT endpoint_id, id, due_at, event_seq, is_due AND row_number() OVER (PARTITION BY is_due
            ORDER BY place, due_at, id) <= ${sql.literal(`${limit}`)} AS is_chosen
        FROM (SELECT f.*, place <= free AND due_at <= ${now} AS is_due FROM found f) d
      ), summed AS MATERIALIZED (
        SELECT endpoint_id, coalesce(array_agg(id::text) FILTER (WHERE is_chosen), '{}') AS ids,
          min(due_at) FILTER (WHERE NOT is_chosen) AS next_at, min(event_seq) AS from_seq
        FROM marked GROUP BY endpoint_id
      ), taken AS (
        UPDATE outgoing_deliveries d SET lease_until = ${at(leaseUntil)}, lease_token = ${token}
        WHERE d.workspace_id = ${workspaceId} AND d.id = ANY(ARRAY(SELECT id FROM marked WHERE is_chosen))
        RETURNING ${columns}
      ), noted AS (
        UPDATE outgoing_lanes o SET held = l.still || l.ids, is_full = cardinality(l.still || l.ids) >= l.places,
          held_until = CASE WHEN l.ids = '{}' THEN l.until ELSE least(l.until, ${at(leaseUntil)}) END,
          next_at = l.after_at, from_seq = CASE WHEN cardinality(l.still) = 0 THEN l.first_seq ELSE l.from_seq END
        FROM (SELECT l.*, coalesce(s.ids, '{}') AS ids, s.next_at AS after_at, s.from_seq AS first_seq
          FROM lane l LEFT JOIN summed s ON s.endpoint_id = l.endpoint_id) l
        WHERE o.workspace_id = ${workspaceId} AND o.endpoint_id = l.endpoint_id
      )
      SELECT * FROM taken ORDER BY due_at, id`)
  }
})

/**
 * Makes the claim of due deliveries.
 *
 * In two steps: a look over all lanes without a lock, then a transaction for each workspace, which passes over lanes that
 * another worker has locked. Under a lane's lock its places are counted, so that no two workers overfill it.
 */
export const makeClaimDeliveries = Effect.gen(function* () {
  const sql = yield* SqlClient
  const few = yield* claimLimit
  const overAll = yield* makeOverAll
  const take = yield* makeTake
  const endpoint = sql.literal(endpointColumnsOf("e"))

  const look = ({ leaseNow, now }: Request, limit: number, passed: ReadonlyArray<string>) => {
    const others = sql`endpoint_id <> ALL(${passed}::text[])`
    return overAll("outgoing.claim", (among) =>
      all(LaneRow)(sql`
        (SELECT workspace_id, endpoint_id FROM outgoing_lanes WHERE NOT is_full AND next_at <= ${at(now)} AND ${others}
          ${among("workspace_id")} ORDER BY next_at, workspace_id, endpoint_id ${few(limit)})
        UNION ALL
        (SELECT workspace_id, endpoint_id FROM outgoing_lanes WHERE held_until <= ${at(leaseNow)} AND ${others}
          ${among("workspace_id")} ORDER BY held_until, workspace_id, endpoint_id ${few(limit)})`)
    )
  }

  /** Endpoints of these lanes that this version can read, with their secrets; others are left to one that can. */
  const lock = Effect.fnUntraced(function* (
    workspaceId: WorkspaceId,
    lanes: ReadonlyArray<OutgoingEndpointId>,
    { leaseNow, now }: Request
  ) {
    const rows = yield* sql`SELECT ${endpoint}, (
        SELECT coalesce(jsonb_agg(jsonb_build_object('sealed', s.sealed,
          'until', (extract(epoch FROM s.valid_until) * 1000)::float8) ORDER BY s.number DESC), '[]')
        FROM outgoing_secrets s WHERE s.workspace_id = ${workspaceId} AND s.endpoint_id = e.id
          AND (s.valid_until IS NULL OR s.valid_until > ${at(now)})) AS secrets
      FROM outgoing_lanes l JOIN outgoing_endpoints e ON e.id = l.endpoint_id
      WHERE l.workspace_id = ${workspaceId} AND e.workspace_id = ${workspaceId}
        AND l.endpoint_id = ANY(${lanes}::text[]) AND e.removed_at IS NULL
        AND ((NOT l.is_full AND l.next_at <= ${at(now)}) OR l.held_until <= ${at(leaseNow)})
      ORDER BY l.endpoint_id FOR NO KEY UPDATE OF l SKIP LOCKED`
    const known = new Map<OutgoingEndpointId, Pick<OutgoingClaim, "endpoint" | "secrets">>()
    for (const row of rows) {
      const exit = decodeLocked(row)
      if (Exit.isFailure(exit)) {
        yield* noteUnreadable("outgoing_endpoints", exit.cause)
        continue
      }
      const secrets = exit.value.secrets.map(({ sealed, until }) => ({
        sealed,
        until: Option.map(Option.fromNullOr(until), DateTime.makeUnsafe)
      }))
      known.set(exit.value.id, { endpoint: toEndpoint(exit.value), secrets })
    }
    return known
  })

  const claimOf = Effect.fnUntraced(function* (
    workspaceId: WorkspaceId,
    lanes: ReadonlyArray<OutgoingEndpointId>,
    limit: number,
    request: Request
  ) {
    const known = yield* lock(workspaceId, lanes, request)
    if (known.size === 0) return []
    const rows = yield* take(workspaceId, Array.from(known.keys()), limit, request)
    return rows.flatMap((row): ReadonlyArray<OutgoingClaim> => {
      const delivery = toDelivery(row)
      const found = known.get(delivery.endpointId)
      return found === undefined ? [] : [{ ...found, delivery, token: request.token }]
    })
  }, sql.withTransaction)

  return Effect.fnUntraced(function* (request: Request) {
    const claims: Array<OutgoingClaim> = []
    const passed: Array<string> = []
    for (let round = 0; round < maxRounds && claims.length < request.limit; round++) {
      const room = request.limit - claims.length
      const lanes = Map.groupBy(yield* look(request, room, passed), (row) => row.workspace_id)
      const turns = Array.from(lanes).slice(0, room)
      const share = Math.floor(room / Math.max(1, turns.length))
      const taken = yield* Effect.forEach(
        turns,
        ([workspaceId, rows]) => {
          const ids = rows.map((row) => row.endpoint_id)
          return Effect.result(
            Effect.tap(claimOf(workspaceId, ids, share, request), (some) =>
              Effect.sync(() => (some.length === 0 ? passed.push(...ids) : 0))
            )
          )
        },
        { concurrency: workspacesAtOnce }
      )
      claims.push(...taken.filter(Result.isSuccess).flatMap(({ success }) => success))
      const failed = taken.find(Result.isFailure)
      // What was taken of other workspaces must not wait for the end of its lease; the next claim meets the failure again.
      if (failed !== undefined && claims.length === 0) return yield* Effect.fail(failed.failure)
      if (failed !== undefined || turns.length === 0) break
    }
    return claims
  })
})
