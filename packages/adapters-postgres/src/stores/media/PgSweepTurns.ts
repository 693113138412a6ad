import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import { SweepKind, SweepTurns, type SweepRequest } from "@loopbox/core/kernel/lease/SweepTurns"
import { all, at, Instant } from "../../rows/rows.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"

const SweptRow = Schema.Struct({ kind: SweepKind, swept_at: Instant })

/** A row for each kind of sweep: whoever has its lease sweeps, whichever node of the database a process is connected to. */
export const layer: Layer.Layer<never, never, SqlClient> = Layer.effect(
  SweepTurns,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const storeCall = yield* makeStoreCall

    const change = Effect.fnUntraced(function* (
      { kind, token }: Pick<SweepRequest, "kind" | "token">,
      columns: Fragment
    ) {
      const changed = yield* sql`UPDATE sweep_turns SET ${columns}
        WHERE kind = ${kind} AND lease_token = ${token} RETURNING 1`
      if (changed.length === 0) return yield* new LeaseLost({ what: "sweep", id: kind })
    })
    const free = sql.literal("lease_token = NULL, lease_until = NULL")

    return {
      take: Effect.fn("PgSweepTurns.take")(
        function* ({ every, kind, leaseNow, leaseUntil, now, token }) {
          // A sweep of the future was by a test clock that has gone back since.
          const taken = yield* sql`INSERT INTO sweep_turns AS s (kind, lease_token, lease_until)
            VALUES (${kind}, ${token}, ${at(leaseUntil)})
            ON CONFLICT (kind) DO UPDATE SET lease_token = excluded.lease_token, lease_until = excluded.lease_until
              WHERE (s.lease_until IS NULL OR s.lease_until <= ${at(leaseNow)})
                AND (s.swept_at IS NULL OR s.swept_at <= ${at(DateTime.subtractDuration(now, every))}
                  OR s.swept_at > ${at(now)})
            RETURNING 1`
          return taken.length > 0
        },
        storeCall("sweeps.take", "unknown")
      ),
      renew: Effect.fn("PgSweepTurns.renew")(
        (turn, until) => change(turn, sql`lease_until = ${at(until)}`),
        storeCall("sweeps.renew", "unknown")
      ),
      release: Effect.fn("PgSweepTurns.release")((turn) => change(turn, free), storeCall("sweeps.release", "unknown")),
      settle: Effect.fn("PgSweepTurns.settle")(
        (turn, now) => change(turn, sql`swept_at = ${at(now)}, ${free}`),
        storeCall("sweeps.settle", "unknown")
      ),
      last: all(SweptRow)(sql`SELECT kind, swept_at FROM sweep_turns
        WHERE swept_at IS NOT NULL AND kind = ANY(${SweepKind.literals}::text[])`).pipe(
        Effect.map((rows) => new Map(rows.map(({ kind, swept_at: sweptAt }) => [kind, sweptAt]))),
        storeCall("sweeps.last", "no"),
        Effect.withSpan("PgSweepTurns.last")
      )
    }
  })
)
