import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { LeaseRequest } from "@loopbox/core/kernel/lease/claimLoop"
import { namedRows } from "../../rows/oneByOne.ts"
import { all, at, claimLimit } from "../../rows/rows.ts"

/** A lane has what waits for the same workspaces. */
const LaneRow = Schema.Struct({ lane: Schema.String })

/** Decoded by whoever claims. */
const TakenRow = Schema.StructWithRest(LaneRow, [Schema.Record(Schema.String, Schema.Unknown)])

/** The first text after this one. */
const justAfter = (lane: string): string => `${lane}\u0001`

/**
 * Makes what takes deliveries that are due.
 *
 * In the order of their arrival, until a claim is filled by them: then more wait, and the claims that follow go round the
 * lanes, from where the last one ended. Each takes an equal share of each lane, and what is left of its limit in the
 * order of arrival. So a claim reads what it takes, however much waits in whatever lane.
 */
export const makeTakeDeliveries = Effect.gen(function* () {
  const sql = yield* SqlClient
  const few = yield* claimLimit
  const rowsOf = all(TakenRow)
  const lanesOf = all(LaneRow)
  let isBehind = false
  /** Where the next round begins. */
  let from = ""

  const columns = sql.literal("id, endpoint, body, arrived_at, attempts, lane")

  const inOrder = ({ leaseNow, leaseUntil, token }: LeaseRequest, count: number) => sql`
    WITH due AS MATERIALIZED (
      SELECT id, claimable_at, attempts FROM webhook_deliveries WHERE claimable_at <= ${at(leaseNow)}
      ORDER BY claimable_at, id ${few(count)} FOR NO KEY UPDATE SKIP LOCKED
    ), taken AS (
      UPDATE webhook_deliveries d
      SET attempts = d.attempts + 1, claimable_at = ${at(leaseUntil)}, lease_token = ${token}
      FROM due WHERE d.id = due.id
      RETURNING d.id, d.endpoint, d.body, d.arrived_at, due.attempts, d.lane, due.claimable_at
    )
    SELECT ${columns} FROM taken ORDER BY claimable_at, id`

  /** The next lanes of which something is due, one by one: the first of each is the next entry of the index. */
  const findLanes = ({ leaseNow }: LeaseRequest, count: number) =>
    lanesOf(sql`WITH RECURSIVE lanes AS (
        (SELECT lane, 1 AS place FROM webhook_deliveries
          WHERE lane >= ${from} AND claimable_at <= ${at(leaseNow)} ORDER BY lane, claimable_at LIMIT 1)
        UNION ALL
        SELECT n.lane, l.place + 1 FROM lanes l CROSS JOIN LATERAL (SELECT d.lane FROM webhook_deliveries d
          WHERE d.lane > l.lane AND d.claimable_at <= ${at(leaseNow)} ORDER BY d.lane, d.claimable_at LIMIT 1) n
        WHERE l.place < ${count}::int
      )
      SELECT lane FROM lanes`)

  /** A statement of its own, for a distributed database takes no recursion beside a change. */
  const takeOf = ({ leaseNow, leaseUntil, token }: LeaseRequest, lanes: ReadonlyArray<string>, each: number) => sql`
    WITH due AS MATERIALIZED (
      SELECT d.id FROM ${namedRows(sql, { lane: lanes })} l CROSS JOIN LATERAL (SELECT id FROM webhook_deliveries w
        WHERE w.lane = l.lane AND w.claimable_at <= ${at(leaseNow)} ORDER BY w.claimable_at, w.id
        ${few(each)} FOR NO KEY UPDATE SKIP LOCKED) d
    ), taken AS (
      UPDATE webhook_deliveries d
      SET attempts = d.attempts + 1, claimable_at = ${at(leaseUntil)}, lease_token = ${token}
      WHERE d.id = ANY(ARRAY(SELECT id FROM due))
      RETURNING d.id, d.endpoint, d.body, d.arrived_at, d.attempts - 1 AS attempts, d.lane
    )
    SELECT ${columns} FROM taken ORDER BY lane, arrived_at, id`

  const inTurns = Effect.fnUntraced(function* (request: LeaseRequest, count: number) {
    const lanes = (yield* findLanes(request, count)).map(({ lane }) => lane)
    return lanes.length === 0 ? [] : yield* rowsOf(takeOf(request, lanes, Math.floor(count / lanes.length)))
  })

  return Effect.fnUntraced(function* (request: LeaseRequest, limit: number) {
    const rows: Array<typeof TakenRow.Type> = []
    const left = () => limit - rows.length
    if (isBehind) {
      const begins = from
      const found = yield* inTurns(request, limit)
      rows.push(...found)
      if (left() > 0 && begins !== "") {
        from = ""
        rows.push(...(yield* inTurns(request, left())))
      }
      const last = rows[rows.length - 1]
      from = last === undefined ? "" : justAfter(last.lane)
    }
    if (left() > 0) {
      const found = yield* rowsOf(inOrder(request, left()))
      const last = found[found.length - 1]
      if (!isBehind && last !== undefined) from = justAfter(last.lane)
      isBehind = found.length === left()
      rows.push(...found)
    }
    return rows
  })
})
