import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { OutgoingEndpointId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { LeaseRequest } from "@loopbox/core/kernel/lease/claimLoop"
import type { OutgoingClaim } from "@loopbox/core/outgoing/OutgoingQueue"
import { noteUnreadable } from "../../rows/claimReadable.ts"
import { inTurns, lookBehind, makeTurns, noteServed } from "../../rows/fairTurns.ts"
import { toDelivery } from "../../rows/OutgoingRow.ts"
import { all, at, claimLimit } from "../../rows/rows.ts"
import { makeOverAll } from "../../connection/allWorkspaces.ts"
import { LockedRow, makeLockedColumns, toLocked } from "./lockedEndpoint.ts"
import { makeReadLanes } from "./readLanes.ts"

type Request = LeaseRequest & { readonly now: DateTime.Utc; readonly perLane: number }

const LaneRow = Schema.Struct({ workspace_id: WorkspaceId, endpoint_id: OutgoingEndpointId })

const decodeLocked = Schema.decodeUnknownExit(LockedRow)

/** More lanes than wanted, by which a backlog of one workspace shows. */
const spare = 15

/** Workspaces whose lanes are claimed at a time. */
const workspacesAtOnce = 4

/** Against lanes in which others are faster again and again. */
const maxRounds = 10

/**
 * Makes the claim of lanes of which something is due.
 *
 * In two steps: a look over all lanes without a lock, then a transaction for each workspace, which passes over lanes that
 * another worker has locked. A lane that is held says so to older versions too, which claim deliveries one by one: it is
 * full, and holds what is no delivery. One of which they hold deliveries is left to them until those leases end.
 */
export const makeClaimLanes = Effect.gen(function* () {
  const sql = yield* SqlClient
  const few = yield* claimLimit
  const overAll = yield* makeOverAll
  const readLanes = yield* makeReadLanes
  const columns = yield* makeLockedColumns
  const turns = makeTurns()

  const look = ({ leaseNow, now }: Request, limit: number, passed: ReadonlyArray<string>) => {
    const others = sql`endpoint_id <> ALL(${passed}::text[])`
    return overAll("outgoing.claim", (among) =>
      all(LaneRow)(sql`
        (SELECT workspace_id, endpoint_id FROM outgoing_lanes
          WHERE NOT is_full AND held = '{}' AND next_at <= ${at(now)} AND ${others} ${among("workspace_id")}
          ORDER BY next_at, workspace_id, endpoint_id ${few(limit)})
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
    const rows = yield* sql`SELECT ${columns(workspaceId, now)}
      FROM outgoing_lanes l JOIN outgoing_endpoints e ON e.id = l.endpoint_id
      WHERE l.workspace_id = ${workspaceId} AND e.workspace_id = ${workspaceId}
        AND l.endpoint_id = ANY(${lanes}::text[]) AND e.removed_at IS NULL
        AND ((NOT l.is_full AND l.held = '{}' AND l.next_at <= ${at(now)}) OR l.held_until <= ${at(leaseNow)})
      ORDER BY l.endpoint_id FOR NO KEY UPDATE OF l SKIP LOCKED`
    const known = new Map<OutgoingEndpointId, ReturnType<typeof toLocked>>()
    for (const row of rows) {
      const exit = decodeLocked(row)
      if (Exit.isFailure(exit)) yield* noteUnreadable("outgoing_endpoints", exit.cause)
      else known.set(exit.value.id, toLocked(exit.value))
    }
    return known
  })

  const claimOf = Effect.fnUntraced(function* (
    workspaceId: WorkspaceId,
    lanes: ReadonlyArray<OutgoingEndpointId>,
    request: Request
  ) {
    const known = yield* lock(workspaceId, lanes, request)
    if (known.size === 0) return []
    const { leaseUntil, now, perLane: limit, token } = request
    const rows = yield* readLanes(workspaceId, Array.from(known.keys()), { now, limit, hold: { token, leaseUntil } })
    return Array.from(Map.groupBy(rows, (row) => row.endpoint_id)).flatMap(
      ([endpointId, some]): ReadonlyArray<OutgoingClaim> => {
        const found = known.get(endpointId)
        if (found === undefined) return []
        const lane = { workspaceId, endpointId, token, isOrdered: found.endpoint.isOrdered }
        return [{ ...found, lane, deliveries: some.map(toDelivery), isFull: some.length >= limit }]
      }
    )
  }, sql.withTransaction)

  return Effect.fnUntraced(function* (request: Request) {
    const claims: Array<OutgoingClaim> = []
    const passed: Array<string> = []
    for (let round = 0; round < maxRounds && claims.length < request.limit; round++) {
      const room = request.limit - claims.length
      const looking = look(request, room + spare, passed)
      const due = yield* looking
      // Else a workspace of thousands of endpoints would keep another's first delivery waiting for all of its own.
      const found = due.length < room + spare ? due : yield* lookBehind(turns, due, looking)
      const lanes = inTurns(turns, found).slice(0, room)
      const taken = yield* Effect.forEach(
        Map.groupBy(lanes, (row) => row.workspace_id),
        ([workspaceId, rows]) => {
          const ids = rows.map((row) => row.endpoint_id)
          return Effect.result(
            Effect.tap(claimOf(workspaceId, ids, request), (some) =>
              Effect.sync(() => (some.length === 0 ? passed.push(...ids) : 0))
            )
          )
        },
        { concurrency: workspacesAtOnce }
      )
      const given = taken.filter(Result.isSuccess).flatMap(({ success }) => success)
      for (const { lane } of given) noteServed(turns, lane.workspaceId)
      claims.push(...given)
      const failed = taken.find(Result.isFailure)
      // What was taken of other workspaces must not wait for the end of its lease; the next claim meets the failure again.
      if (failed !== undefined && claims.length === 0) return yield* Effect.fail(failed.failure)
      if (failed !== undefined || lanes.length === 0) break
      // All that is due was seen and taken: another look would only keep it waiting.
      if (due.length < room + spare && given.length === due.length) break
    }
    return claims
  })
})
