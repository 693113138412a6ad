import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { at, one, optional } from "../rows/rows.ts"
import { storeCallWithin } from "../connection/storeFailure.ts"
import { toJson } from "../rows/text.ts"

/** Metrics by name. */
export type Gauges = Readonly<Record<string, number>>

const GaugesRow = Schema.Struct({ gauges: optional(Schema.Record(Schema.String, Schema.Finite)) })

const storeCall = storeCallWithin(Duration.seconds(10))

/**
 * Metrics of the whole database: one process measures them, at most each `every`, and all others read what it stored. A
 * process that dies while it measures is followed by another after `every`.
 *
 * None until they were measured once.
 */
export const sharedGauges = Effect.fn("sharedGauges")(function* <E, R>(
  measure: Effect.Effect<Gauges, E, R>,
  every: Duration.Duration
) {
  const sql = yield* SqlClient
  const now = yield* DateTime.now
  const turn = yield* sql`UPDATE installation SET gauges_at = ${at(now)} WHERE is_only AND (gauges_at IS NULL
      OR gauges_at <= ${at(DateTime.subtractDuration(now, every))} OR gauges_at > ${at(DateTime.addDuration(now, every))})
    RETURNING 1`.pipe(storeCall("gauges.claim", "unknown"))
  if (turn.length > 0) {
    const gauges = yield* measure
    yield* sql`UPDATE installation SET gauges = ${toJson(gauges)}::jsonb WHERE is_only`.pipe(
      storeCall("gauges.store", "unknown")
    )
    return Option.some(gauges)
  }
  return (yield* one(GaugesRow)(sql`SELECT gauges FROM installation WHERE is_only`).pipe(
    storeCall("gauges.read", "no")
  )).gauges
})
