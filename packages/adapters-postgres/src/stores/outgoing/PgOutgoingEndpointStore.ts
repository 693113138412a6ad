import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { OutgoingEndpointId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import { type PageRequest, toPage } from "@loopbox/core/kernel/Page"
import type { DeliveryStatus } from "@loopbox/core/outgoing/OutgoingDelivery"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { Signals } from "../../connection/Signals.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import {
  deliveryColumnsOf,
  deliveryRecord,
  DeliveryRow,
  endpointColumns,
  EndpointRow,
  LogRow,
  SecretRow,
  toDelivery,
  toDeliveryRecord,
  toEndpoint,
  toLog,
  toLogged
} from "../../rows/OutgoingRow.ts"
import { all, at, first, newestFirst, newestFirstBy } from "../../rows/rows.ts"
import { toJson } from "../../rows/text.ts"
import { cancelTimeout } from "./cancelPending.ts"
import { makeEndpointWrites } from "./endpointWrites.ts"
import { makeLanes } from "./lanes.ts"

const statuses = ["pending", "delivered", "failed", "canceled"] as const satisfies ReadonlyArray<DeliveryStatus>

/** Deliveries that a request removes with their endpoint; what is left then, the sweeper removes. */
const removedAtOnce = 10_000

const ReplacedRow = Schema.Struct({ event_seq: Schema.NullOr(Schema.Int) })

/** Reads deliveries of endpoints that are there. */
const makeReads = Effect.gen(function* () {
  const sql = yield* SqlClient
  const page = yield* newestFirstBy("d.created_at", "d.id")
  const columns = sql.literal(deliveryColumnsOf("d"))

  const of = (workspaceId: WorkspaceId, id: OutgoingEndpointId) =>
    sql`FROM outgoing_deliveries d WHERE d.workspace_id = ${workspaceId} AND d.endpoint_id = ${id}
      AND EXISTS (SELECT 1 FROM outgoing_endpoints e
        WHERE e.workspace_id = ${workspaceId} AND e.id = ${id} AND e.removed_at IS NULL)`

  /** Each status has its place in the index: a page of all is the newest of each page of one. */
  const list = Effect.fnUntraced(function* (
    workspaceId: WorkspaceId,
    id: OutgoingEndpointId,
    status: Option.Option<DeliveryStatus>,
    request: PageRequest
  ) {
    const inStatus = (one: DeliveryStatus): Fragment =>
      sql`(SELECT ${columns} ${of(workspaceId, id)} AND d.status = ${one} ${page(request)})`
    const wanted = Option.match(status, { onNone: () => statuses, onSome: (one) => [one] })
    const rows = yield* all(DeliveryRow)(sql`SELECT * FROM (${sql.join(" UNION ALL ", false)(wanted.map(inStatus))}) d
      ORDER BY created_at DESC, id DESC LIMIT ${request.limit + 1}`)
    return toPage(rows.map(toDelivery), request.limit)
  })

  const find = Effect.fnUntraced(function* (workspaceId: WorkspaceId, id: OutgoingEndpointId, deliveryId: string) {
    const row = yield* first(LogRow)(sql`SELECT ${columns}, d.log ${of(workspaceId, id)} AND d.id = ${deliveryId}`)
    return Option.map(row, (found) => ({ delivery: toDelivery(found), log: toLog(found) }))
  })

  return { list, find }
})

export const layer: Layer.Layer<OutgoingEndpointStore, never, Signals | SqlClient> = Layer.effect(
  OutgoingEndpointStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const signals = yield* Signals
    const storeCall = yield* makeStoreCall
    const page = yield* newestFirst
    const writes = yield* makeEndpointWrites
    const lanes = yield* makeLanes
    const reads = yield* makeReads
    const columns = sql.literal(endpointColumns)

    /** Begins anew, unless it is being sent. */
    const restart = Effect.fnUntraced(function* (
      workspaceId: WorkspaceId,
      id: OutgoingEndpointId,
      deliveryId: string,
      now: DateTime.Utc
    ) {
      yield* lanes.lock(workspaceId, [id])
      const found = yield* reads.find(workspaceId, id, deliveryId)
      if (Option.isNone(found)) return Option.none()
      const again = yield* all(ReplacedRow)(sql`UPDATE outgoing_deliveries
        SET status = 'pending', attempts_in_schedule = 0, due_at = ${at(now)}
        WHERE workspace_id = ${workspaceId} AND id = ${deliveryId} AND endpoint_id = ${id} AND lease_token IS NULL
        RETURNING event_seq::float8 AS event_seq`)
      const added = again.map(({ event_seq }) => ({ endpoint_id: id, due_at: at(now), event_seq: event_seq ?? 0 }))
      if (added.length > 0) yield* lanes.add(workspaceId, added)
      return Option.map(yield* reads.find(workspaceId, id, deliveryId), ({ delivery }) => delivery)
    }, sql.withTransaction)

    return OutgoingEndpointStore.of({
      create: Effect.fn("PgOutgoingEndpointStore.create")(
        writes.insert,
        sql.withTransaction,
        storeCall("outgoing.create", "unknown")
      ),

      find: Effect.fn("PgOutgoingEndpointStore.find")(
        function* (workspaceId, id) {
          const row = yield* first(EndpointRow)(sql`SELECT ${columns} FROM outgoing_endpoints
            WHERE workspace_id = ${workspaceId} AND id = ${id} AND removed_at IS NULL`)
          return Option.map(row, toEndpoint)
        },
        storeCall("outgoing.find", "no")
      ),

      list: Effect.fn("PgOutgoingEndpointStore.list")(
        function* (workspaceId, request) {
          const rows = yield* all(EndpointRow)(sql`SELECT ${columns} FROM outgoing_endpoints
            WHERE workspace_id = ${workspaceId} AND removed_at IS NULL ${page(request)}`)
          return toPage(rows.map(toEndpoint), request.limit)
        },
        storeCall("outgoing.list", "no")
      ),

      update: Effect.fn("PgOutgoingEndpointStore.update")(
        writes.update,
        sql.withTransaction,
        storeCall("outgoing.update", "unknown", cancelTimeout)
      ),

      remove: Effect.fn("PgOutgoingEndpointStore.remove")(function* (workspaceId, id) {
        const hidden = yield* DateTime.now.pipe(
          Effect.flatMap((now) => writes.hide(workspaceId, sql`id = ${id}`, now)),
          sql.withTransaction,
          storeCall("outgoing.remove", "unknown")
        )
        if (hidden === 0) return false
        yield* writes.removeRest(removedAtOnce).pipe(
          storeCall("outgoing.removeRest", "unknown"),
          Effect.catchTag("StoreUnavailable", (error) =>
            Effect.logWarning("deliveries of an endpoint wait for the next sweep to be removed", error)
          )
        )
        return true
      }),

      secrets: Effect.fn("PgOutgoingEndpointStore.secrets")(
        function* (workspaceId, id, now) {
          const rows = yield* all(SecretRow)(sql`SELECT sealed, valid_until FROM outgoing_secrets
            WHERE workspace_id = ${workspaceId} AND endpoint_id = ${id}
              AND (valid_until IS NULL OR valid_until > ${at(now)}) ORDER BY number DESC`)
          return rows.map(({ sealed, valid_until: until }) => ({ sealed, until }))
        },
        storeCall("outgoing.secrets", "no")
      ),

      rotate: Effect.fn("PgOutgoingEndpointStore.rotate")(
        writes.rotate,
        sql.withTransaction,
        storeCall("outgoing.rotate", "unknown")
      ),

      deliveries: Effect.fn("PgOutgoingEndpointStore.deliveries")(reads.list, storeCall("outgoing.deliveries", "no")),

      findDelivery: Effect.fn("PgOutgoingEndpointStore.findDelivery")(
        reads.find,
        storeCall("outgoing.findDelivery", "no")
      ),

      redeliver: Effect.fn("PgOutgoingEndpointStore.redeliver")(
        restart,
        Effect.tap(() => signals.tellDeliveriesWait),
        storeCall("outgoing.redeliver", "unknown")
      ),

      addExample: Effect.fn("PgOutgoingEndpointStore.addExample")(
        function* (delivery, attempt) {
          const { endpointId, workspaceId } = delivery
          const found = yield* sql`SELECT 1 FROM outgoing_endpoints
            WHERE workspace_id = ${workspaceId} AND id = ${endpointId} AND removed_at IS NULL FOR KEY SHARE`
          if (found.length === 0) return
          yield* sql`INSERT INTO outgoing_deliveries (workspace_id, id, endpoint_id, message_id, event_type, event_seq,
              account_id, external_user_id, body, status, attempts, attempts_in_schedule, due_at, created_at, log)
            SELECT ${workspaceId}::text, d.*, jsonb_build_array(${toLogged(attempt)}::jsonb)
            FROM jsonb_to_recordset(${toJson([toDeliveryRecord(delivery)])}::jsonb) AS d (${sql.literal(deliveryRecord)})`
        },
        sql.withTransaction,
        storeCall("outgoing.addExample", "unknown")
      )
    })
  })
)
