import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { WebhookEndpoint } from "@loopbox/core/networks/Source"
import { type DeliveryOutcome, WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { claimReadable } from "../../rows/claimReadable.ts"
import { namedRows } from "../../rows/oneByOne.ts"
import { pageOf } from "../../rows/readableRows.ts"
import { all, at, claimLimit, countedAtMost, Instant, one, optional, newestFirstBy } from "../../rows/rows.ts"
import { reconnected, Signals, webhookArrived } from "../../connection/Signals.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { storable } from "../../rows/text.ts"
import { makeLaneOf } from "../accounts/accountRoutes.ts"
import { makeTakeDeliveries } from "./claimDeliveries.ts"
import { makeWebhookUnits } from "./webhookUnits.ts"

const ClaimRow = Schema.Struct({
  id: Schema.String,
  endpoint: WebhookEndpoint,
  body: Schema.Uint8Array,
  arrived_at: Instant,
  attempts: Schema.Int
})

const IdRow = Schema.Struct({ id: Schema.String })

/** Failed ones stay for 30 days, and an alarm asks whether there are more: an index alone counts them. */
const failedCountedAtMost = 100_000

/** Deliveries that one transaction replays. */
const replayedAtOnce = 500

const ReplayedRow = Schema.Struct({ id: Schema.String, arrived_at: Instant })

const FailedRow = Schema.Struct({
  id: Schema.String,
  endpoint: WebhookEndpoint,
  arrived_at: Instant,
  ended_at: Instant,
  reason: Schema.String
})

const failedPage = pageOf(
  "webhook_deliveries",
  FailedRow,
  ({ arrived_at: createdAt, ended_at: failedAt, endpoint, id, reason }) => ({
    id,
    endpoint,
    createdAt,
    failedAt,
    reason
  }),
  { moment: "arrived_at", id: "id" }
)

const DepthRow = Schema.Struct({ pending: Schema.Int, oldest_pending_at: optional(Instant), failed: Schema.Int })

export const layer: Layer.Layer<WebhookDeliveries, never, Signals | SqlClient> = Layer.effect(
  WebhookDeliveries,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const few = yield* claimLimit
    const laneOf = yield* makeLaneOf
    const take = yield* makeTakeDeliveries
    const units = yield* makeWebhookUnits
    const signals = yield* Signals
    const storeCall = yield* makeStoreCall
    const page = yield* newestFirstBy("arrived_at", "id")

    const after = (outcome: DeliveryOutcome, moment: DateTime.Utc) => {
      switch (outcome._tag) {
        case "Waiting":
          return sql`claimable_at = ${at(outcome.until)}`
        case "Done":
          return sql`state = 'done', claimable_at = NULL, lane = '', ended_at = ${at(moment)}`
        case "Failed":
          return sql`state = 'failed', claimable_at = NULL, lane = '', ended_at = ${at(moment)},
            reason = ${storable(outcome.reason)}`
      }
    }

    const removeEnded = Effect.fnUntraced(
      function* (state: "done" | "failed", before: DateTime.Utc, limit: number) {
        const isOld = sql`state = ${state} AND ended_at < ${at(before)} AND ended_at IS NOT NULL`
        const old = yield* all(IdRow)(sql`SELECT id FROM webhook_deliveries
          WHERE ${isOld} ORDER BY ended_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`)
        const ids = old.map(({ id }) => id)
        yield* units.forget(ids)
        yield* sql`DELETE FROM webhook_deliveries WHERE id = ANY(${ids}::text[])`
        return ids.length
      },
      sql.withTransaction,
      storeCall("webhooks.removeOlder", "unknown")
    )

    /** Replays a batch of failed deliveries, the newest of them first. */
    const replaySome = Effect.fnUntraced(
      function* (which: Fragment, leaseNow: DateTime.Utc) {
        const chosen = yield* all(ReplayedRow)(sql`SELECT id, arrived_at FROM webhook_deliveries
          WHERE state = 'failed' ${which}
          ORDER BY arrived_at DESC, id DESC LIMIT ${sql.literal(`${replayedAtOnce}`)} FOR NO KEY UPDATE`)
        const ids = chosen.map(({ id }) => id)
        yield* units.forget(ids)
        yield* sql`UPDATE webhook_deliveries SET state = 'pending', reason = '', attempts = 0, lease_token = NULL,
          claimable_at = ${at(leaseNow)}, ended_at = NULL WHERE id = ANY(${ids}::text[])`
        return chosen
      },
      sql.withTransaction,
      Effect.tap((replayed) => (replayed.length > 0 ? signals.tellArrived : Effect.void)),
      storeCall("webhooks.replay", "unknown")
    )

    return WebhookDeliveries.of({
      store: Effect.fn("PgWebhookDeliveries.store")(
        function* ({ arrivedAt, body, endpoint, id }, leaseNow, names = []) {
          yield* sql`INSERT INTO webhook_deliveries (id, endpoint, body, state, arrived_at, claimable_at, lane)
            SELECT ${id}, ${endpoint}, ${body}, 'pending', ${at(arrivedAt)}::timestamptz, ${at(leaseNow)}::timestamptz, lane
            FROM ${laneOf(names)} AS l (lane)`
          yield* signals.tellArrived
        },
        storeCall("webhooks.store", "unknown")
      ),

      claim: Effect.fn("PgWebhookDeliveries.claim")(
        function* ({ endpoints, ...request }) {
          const { leaseNow, leaseUntil, limit, token } = request
          const rows = yield* claimReadable({
            queue: "webhook_deliveries",
            limit,
            leaseNow,
            schema: ClaimRow,
            isKnown: ({ endpoint }) => endpoints === undefined || endpoints.has(endpoint),
            take: (count) => take(request, count),
            putBack: (read, until) => sql`UPDATE webhook_deliveries
              SET attempts = attempts - 1, claimable_at = ${at(until)}, lease_token = NULL
              WHERE claimable_at = ${at(leaseUntil)} AND lease_token = ${token}
                AND id <> ALL (${read.map(({ id }) => id)}::text[])`
          })
          return rows.map(({ arrived_at: arrivedAt, attempts, body, endpoint, id }) => ({
            delivery: { id, endpoint, body, arrivedAt },
            attempts,
            token
          }))
        },
        storeCall("webhooks.claim", "unknown")
      ),

      renew: Effect.fn("PgWebhookDeliveries.renew")(
        function* ({ delivery: { id }, token }, leaseUntil) {
          const renewed = yield* sql`UPDATE webhook_deliveries SET claimable_at = ${at(leaseUntil)}
            WHERE id = ${id} AND lease_token = ${token} RETURNING 1`
          if (renewed.length === 0) return yield* new LeaseLost({ what: "delivery", id })
        },
        storeCall("webhooks.renew", "unknown")
      ),

      settle: Effect.fn("PgWebhookDeliveries.settle")(
        function* ({ delivery: { id }, token }, outcome, moment) {
          const settled = yield* sql`UPDATE webhook_deliveries SET ${after(outcome, moment)}, lease_token = NULL
            WHERE id = ${id} AND lease_token = ${token} RETURNING 1`
          if (settled.length === 0) return yield* new LeaseLost({ what: "delivery", id })
        },
        storeCall("webhooks.settle", "unknown")
      ),

      complete: Effect.fn("PgWebhookDeliveries.complete")(
        function* (claims, moment) {
          const ids = claims.map(({ delivery }) => delivery.id)
          const settled = yield* all(IdRow)(sql`UPDATE webhook_deliveries d
            SET ${after({ _tag: "Done" }, moment)}, lease_token = NULL
            FROM ${namedRows(sql, { id: ids, token: claims.map(({ token }) => token) })} c
            WHERE d.id = c.id AND d.lease_token = c.token RETURNING d.id`)
          const done = new Set(settled.map(({ id }) => id))
          return ids.map((id) => (done.has(id) ? Result.void : Result.fail(new LeaseLost({ what: "delivery", id }))))
        },
        storeCall("webhooks.complete", "unknown")
      ),

      release: Effect.fn("PgWebhookDeliveries.release")(
        function* ({ attempts, delivery: { id }, token }, leaseNow) {
          const released = yield* sql`UPDATE webhook_deliveries
            SET claimable_at = ${at(leaseNow)}, attempts = ${attempts}::int, lease_token = NULL
            WHERE id = ${id} AND lease_token = ${token} RETURNING 1`
          if (released.length === 0) return yield* new LeaseLost({ what: "delivery", id })
        },
        storeCall("webhooks.release", "unknown")
      ),

      listFailed: Effect.fn("PgWebhookDeliveries.listFailed")(
        function* (request) {
          return yield* failedPage(
            sql`SELECT id, endpoint, arrived_at, ended_at, reason
              FROM webhook_deliveries WHERE state = 'failed' ${page(request)}`,
            request.limit
          )
        },
        storeCall("webhooks.listFailed", "no")
      ),

      replay: Effect.fn("PgWebhookDeliveries.replay")(function* (id, leaseNow) {
        if (Option.isSome(id)) return (yield* replaySome(sql`AND id = ${storable(id.value)}`, leaseNow)).length
        let count = 0
        // A delivery that fails again meanwhile stays behind the cursor, so each is replayed once.
        for (let older: Fragment = sql.literal(""); ;) {
          const replayed = yield* replaySome(older, leaseNow)
          const last = replayed[replayed.length - 1]
          if (last === undefined) return count
          count += replayed.length
          older = sql`AND (arrived_at, id) < (${at(last.arrived_at)}, ${last.id})`
        }
      }),

      removeOlder: Effect.fn("PgWebhookDeliveries.removeOlder")(function* (before, limit) {
        const done = yield* removeEnded("done", before.done, limit)
        return done < limit ? done + (yield* removeEnded("failed", before.failed, limit - done)) : done
      }),

      depth: one(DepthRow)(sql`
        SELECT count(*)::int AS pending, min(arrived_at) AS oldest_pending_at, (SELECT count(*)::int FROM (
            SELECT 1 FROM webhook_deliveries WHERE state = 'failed' ${few(failedCountedAtMost)}) f) AS failed
        FROM (SELECT arrived_at FROM webhook_deliveries WHERE claimable_at IS NOT NULL
          ORDER BY claimable_at, id ${few(countedAtMost)}) p`).pipe(
        Effect.map(({ failed, oldest_pending_at: oldestAt, pending }) => ({ counts: { pending, failed }, oldestAt })),
        storeCall("webhooks.depth", "no"),
        Effect.withSpan("PgWebhookDeliveries.depth")
      ),

      arrivals: heardArrivals(signals)
    })
  })
)

const heardArrivals = ({ heard }: Signals["Service"]): Stream.Stream<void> =>
  heard.pipe(
    Stream.filter((payload) => payload === webhookArrived || payload === reconnected),
    Stream.map(() => undefined)
  )
