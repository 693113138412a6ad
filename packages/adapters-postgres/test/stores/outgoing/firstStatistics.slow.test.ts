import type { PgAdapters } from "@loopbox/adapters-postgres"
import { judgeAttempt } from "@loopbox/core/outgoing/judgeAttempt"
import type { OutgoingEndpoint } from "@loopbox/core/outgoing/OutgoingEndpoint"
import { type EndedAttempt, type OutgoingClaim, OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import {
  appendEvents,
  attemptOf,
  claimDue,
  makeEndpoints,
  only,
  succeedAll
} from "@loopbox/testing/fixtures/laneFixtures"
import { type DateTime, Effect, Schema } from "effect"
import type * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import { beforeStatistics } from "../beforeStatistics.ts"
import { findCostly, oneConnection } from "../rowsRead.ts"

const fill = Effect.fnUntraced(function* (waiting: number) {
  const sql = yield* SqlClient.SqlClient
  for (const table of ["outgoing_deliveries", "outgoing_lanes", "outgoing_endpoints"]) {
    yield* sql`ALTER TABLE ${sql(table)} SET (autovacuum_enabled = false)`
  }
  const made = yield* makeEndpoints({})
  yield* appendEvents(made.endpoints, 1, 1, made.now)
  yield* sql`INSERT INTO outgoing_deliveries SELECT (c.made).* FROM (
      SELECT jsonb_populate_record(NULL::outgoing_deliveries, to_jsonb(d) || jsonb_build_object('event_seq', n + 1,
        'id', left(d.id, -5) || lpad(n::text, 5, '0'))) AS made
      FROM outgoing_deliveries d, generate_series(1, ${waiting}::int) n OFFSET 0) c`
  return made
})

const settleFailed = Effect.fnUntraced(function* ({ deliveries, lane }: OutgoingClaim, now: DateTime.Utc) {
  const ended = deliveries.map((delivery) => ({ delivery, attempt: attemptOf(500, now) }))
  const judge = (endpoint: OutgoingEndpoint, one: EndedAttempt) =>
    judgeAttempt(endpoint, one.delivery, one.attempt, { at: now, random: 0.5 })
  yield* (yield* OutgoingQueue).settle(lane, ended, judge, now)
})

const Scans = Schema.Struct({ scans: Schema.Int })

/** Scans of the index by which deliveries are listed: for one that is known by its id it is read from end to end. */
const scansOfList = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SELECT pg_stat_force_next_flush()`
  const [found] = yield* sql`SELECT idx_scan::int AS scans FROM pg_stat_user_indexes
    WHERE indexrelname = 'outgoing_deliveries_list'`
  return (yield* Schema.decodeUnknownEffect(Scans)(found)).scans
})

/** Whatever reads too much before PostgreSQL has counted anything of so many that wait for the endpoint. */
const findCostlySettling = Effect.fnUntraced(function* (target: PgAdapters.Target, plans: string, waiting: number) {
  return yield* Effect.gen(function* () {
    const { now } = yield* fill(waiting)
    const claim = only(yield* claimDue(now, 1, now, 256))
    const some = (from: number, to: number) => ({ ...claim, deliveries: claim.deliveries.slice(from, to) })
    const before = yield* scansOfList
    const costly = yield* findCostly<SecureRandom.SecureRandom | OutgoingQueue>(["outgoing_deliveries"], {
      succeed: succeedAll(some(0, 100), now),
      "succeed one": succeedAll(some(100, 101), now),
      fail: settleFailed(some(101, 201), now),
      "fail one": settleFailed(some(201, 202), now),
      "fail few": settleFailed(some(202, 208), now)
    })
    const scans = (yield* scansOfList) - before
    return scans > 0 ? [...costly, `${scans} scans of the list's index`] : costly
  }).pipe(Effect.provide(oneConnection(target, plans)))
})

for (const waiting of [1_000, 5_000, 20_000]) {
  beforeStatistics(`${waiting} deliveries that wait`, {
    "those that have ended are found by their ids": (target, plans) => findCostlySettling(target, plans, waiting)
  })
}
