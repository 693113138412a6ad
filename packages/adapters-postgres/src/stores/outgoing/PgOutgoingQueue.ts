import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { SqlClient } from "effect/sql/SqlClient"
import { WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import { type OutgoingLane, OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { batchWait } from "../../operations/erasingBatches.ts"
import { deliveriesWait, reconnected, Signals } from "../../connection/Signals.ts"
import { makeWriteTogether } from "../../connection/writeTogether.ts"
import { makeOverAll } from "../../connection/allWorkspaces.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { endpointColumns, EndpointRow, toEndpoint } from "../../rows/OutgoingRow.ts"
import { all, claimLimit, countedAtMost, Instant, one, optional } from "../../rows/rows.ts"
import { EventLog } from "../inbox/EventLog.ts"
import { makeCanceling } from "./canceling.ts"
import { makeClaimLanes } from "./claimLanes.ts"
import { makeHeldLanes } from "./readLanes.ts"
import { makeRemoveEndpoints } from "./removeEndpoints.ts"
import { type Ended, makeSettleDeliveries } from "./settleDeliveries.ts"
import { type EndedLane, makeSettleLanes } from "./settleLanes.ts"
import { makeWriteDeliveries } from "./writeDeliveries.ts"

const LaggingRow = Schema.Struct({ workspace_id: WorkspaceId, position: Schema.Int })
const ListeningRow = Schema.Struct({ ...EndpointRow.fields, since: Schema.Int })
const DepthRow = Schema.Struct({ pending: Schema.Int, oldest_at: optional(Instant) })

/** Calls whose deliveries one transaction ends. */
const endedAtOnce = 128

/** Workspaces, or ordered endpoints, whose claims are ended at a time. */
const turnsAtOnce = 4

/**
 * What is written together. Answers of an ordered endpoint are not among others': such a batch waits for the lock of each of
 * its endpoints, and an ordered one sends nothing meanwhile.
 */
const turnOf = ({ endpointId, isOrdered, workspaceId }: OutgoingLane): string => (isOrdered ? endpointId : workspaceId)

interface Released {
  readonly lane: OutgoingLane
  readonly now: DateTime.Utc
}

export const layer: Layer.Layer<OutgoingQueue, never, EventLog | Signals | SqlClient> = Layer.effect(
  OutgoingQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const few = yield* claimLimit
    const overAll = yield* makeOverAll
    const log = yield* EventLog
    const signals = yield* Signals
    const storeCall = yield* makeStoreCall
    const claimLanes = yield* makeClaimLanes
    const lanes = yield* makeHeldLanes
    const writes = yield* makeWriteDeliveries
    const settling = yield* makeSettleDeliveries
    const settleLanes = yield* makeSettleLanes
    const removing = yield* makeRemoveEndpoints
    const canceling = yield* makeCanceling
    const columns = sql.literal(endpointColumns)

    // Thousands of deliveries end every second, each by itself.
    const succeedTogether = makeWriteTogether((_, ended: ReadonlyArray<Ended & { readonly now: DateTime.Utc }>) => {
      const [one] = ended
      if (one === undefined) return Effect.succeed([])
      const latest = ended.reduce((max, { now }) => DateTime.max(max, now), one.now)
      return settling.succeed(one.lane.workspaceId, ended, latest).pipe(storeCall("outgoing.succeed", "unknown"))
    }, endedAtOnce)

    // Endpoints of a workspace get an event at the same time: what they answer, and that they have nothing more, comes at once.
    const settleTogether = makeWriteTogether((_, given: ReadonlyArray<EndedLane>) => {
      const [one] = given
      if (one === undefined) return Effect.succeed([])
      const { workspaceId } = one.lane
      return log
        .transaction(workspaceId, (append) => settleLanes(workspaceId, given, append))
        .pipe(storeCall("outgoing.settle", "unknown"))
    }, endedAtOnce)

    const releaseTogether = makeWriteTogether((_, given: ReadonlyArray<Released>) => {
      const [one] = given
      if (one === undefined) return Effect.succeed([])
      const latest = given.reduce((max, { now }) => DateTime.max(max, now), one.now)
      return lanes
        .release(
          one.lane.workspaceId,
          given.map(({ lane }) => lane),
          latest
        )
        .pipe(storeCall("outgoing.release", "unknown"))
    }, endedAtOnce)

    return OutgoingQueue.of({
      // Only workspaces that have, or had, endpoints have a position. From a random start, for others look as well.
      lagging: Effect.fn("PgOutgoingQueue.lagging")(
        function* (limit, workspaces) {
          const rows = yield* overAll("outgoing.lagging", (among, within) =>
            all(LaggingRow)(sql`
              WITH behind AS MATERIALIZED (
                SELECT p.workspace_id, p.position FROM outgoing_positions p
                JOIN workspace_seq s ON s.workspace_id = p.workspace_id ${within("s.workspace_id")}
                WHERE s.last <> p.position AND EXISTS (SELECT 1 FROM outgoing_endpoints e
                  WHERE e.workspace_id = p.workspace_id AND e.status <> 'disabled' AND e.removed_at IS NULL
                    ${within("e.workspace_id")})
                  ${among("p.workspace_id", Option.getOrUndefined(workspaces))}
              )
              SELECT b.workspace_id, b.position::float8 AS position FROM behind b
              ORDER BY random() ${few(limit)}`)
          )
          return rows.map(({ position, workspace_id: workspaceId }) => ({ workspaceId, position }))
        },
        storeCall("outgoing.lagging", "no")
      ),

      listening: Effect.fn("PgOutgoingQueue.listening")(
        function* (workspaceId) {
          const rows = yield* all(ListeningRow)(sql`SELECT ${columns}, since_seq::float8 AS since
            FROM outgoing_endpoints
            WHERE workspace_id = ${workspaceId} AND status <> 'disabled' AND removed_at IS NULL ORDER BY created_at, id`)
          return rows.map((row) => ({ endpoint: toEndpoint(row), since: row.since }))
        },
        storeCall("outgoing.listening", "no")
      ),

      append: Effect.fn("PgOutgoingQueue.append")(
        (from, to, deliveries) =>
          Effect.tap(writes.append(from, to, deliveries), (count) =>
            Option.getOrElse(count, () => 0) > 0 ? signals.tellDeliveriesWait : Effect.void
          ).pipe(Effect.map(Option.isSome)),
        storeCall("outgoing.append", "unknown")
      ),

      replay: Effect.fn("PgOutgoingQueue.replay")(
        function* (deliveries) {
          let count = 0
          for (const [workspaceId, some] of Map.groupBy(deliveries, (delivery) => delivery.workspaceId)) {
            count += yield* writes.replay(workspaceId, some)
          }
          if (count > 0) yield* signals.tellDeliveriesWait
          return count
        },
        storeCall("outgoing.replay", "unknown")
      ),

      claim: Effect.fn("PgOutgoingQueue.claim")(claimLanes, storeCall("outgoing.claim", "unknown")),

      next: Effect.fn("PgOutgoingQueue.next")(lanes.next, storeCall("outgoing.next", "unknown")),

      renew: Effect.fn("PgOutgoingQueue.renew")(lanes.renew, storeCall("outgoing.renew", "unknown")),

      release: Effect.fn("PgOutgoingQueue.release")(function* (lane, now) {
        const results = yield* releaseTogether(lane.workspaceId, [{ lane, now }])
        const isDue = yield* Effect.forEach(results, Effect.fromResult)
        if (isDue.includes(true)) yield* signals.tellDeliveriesWait
      }),

      settle: Effect.fn("PgOutgoingQueue.settle")(function* (lane, ended, judge, now) {
        const results = yield* settleTogether(turnOf(lane), [{ lane, ended, judge, now }])
        yield* Effect.forEach(results, Effect.fromResult, { discard: true })
      }),

      succeed: Effect.fn("PgOutgoingQueue.succeed")(function* (ended, now) {
        const results = new Map<string, Result.Result<void, LeaseLost>>()
        yield* Effect.forEach(
          Map.groupBy(ended, ({ lane }) => turnOf(lane)),
          ([turn, some]) =>
            Effect.map(
              succeedTogether(
                turn,
                some.map((one) => ({ ...one, now }))
              ),
              (settled) => {
                for (const [n, { delivery }] of some.entries()) results.set(delivery.id, settled[n] ?? Result.void)
              }
            ),
          { concurrency: turnsAtOnce, discard: true }
        )
        return ended.map(({ delivery }) => results.get(delivery.id) ?? Result.void)
      }),

      cancel: Effect.fn("PgOutgoingQueue.cancel")(settling.cancel, storeCall("outgoing.cancel", "unknown")),

      removeOlder: Effect.fn("PgOutgoingQueue.removeOlder")(
        function* (before, limit) {
          yield* canceling.rest(limit)
          const rest = yield* removing.removeRest(limit)
          return rest < limit ? rest + (yield* removing.removeOlder(before, limit - rest)) : rest
        },
        storeCall("outgoing.removeOlder", "unknown", batchWait)
      ),

      depth: overAll("outgoing.depth", (among) =>
        one(DepthRow)(sql`SELECT count(*)::int AS pending, min(created_at) AS oldest_at
        FROM (SELECT created_at FROM outgoing_deliveries WHERE due_at IS NOT NULL
          ${among("workspace_id")} ${few(countedAtMost)}) d`)
      ).pipe(
        Effect.map(({ oldest_at: oldestAt, pending }) => ({ counts: { pending }, oldestAt })),
        storeCall("outgoing.depth", "no"),
        Effect.withSpan("PgOutgoingQueue.depth")
      ),

      additions: signals.heard.pipe(
        Stream.filter((payload) => payload === deliveriesWait || payload === reconnected),
        Stream.map(() => undefined)
      )
    })
  })
)
