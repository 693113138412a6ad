import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { OutgoingEndpointId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { PageRequest } from "@loopbox/core/kernel/Page"
import type { DeliveryStatus } from "@loopbox/core/outgoing/OutgoingDelivery"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { Signals } from "../../connection/Signals.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import {
  deliveryRecord,
  insertedColumns,
  DeliveryRow,
  endpointColumns,
  EndpointRow,
  LogRow,
  SecretRow,
  shownDeliveryColumns,
  toDelivery,
  toDeliveryRecord,
  toEndpoint,
  toLog,
  toLogged
} from "../../rows/OutgoingRow.ts"
import { pageOf } from "../../rows/readableRows.ts"
import { all, at, first, newestFirst, newestFirstBy } from "../../rows/rows.ts"
import { storable, toJson } from "../../rows/text.ts"
import { makeAppendAudit } from "../audit/appendAudit.ts"
import { makeEndpointWrites } from "./endpointWrites.ts"
import { makeLanes } from "./lanes.ts"

/** Deliveries that a request removes, or marks as canceled, with their endpoint; the rest is the sweeper's. */
const changedAtOnce = 10_000

const ReplacedRow = Schema.Struct({ event_seq: Schema.NullOr(Schema.Int) })

const endpointPage = pageOf("outgoing_endpoints", EndpointRow, toEndpoint)
const deliveryPage = pageOf("outgoing_deliveries", DeliveryRow, toDelivery)

/** Reads deliveries of endpoints that are there. */
const makeReads = Effect.gen(function* () {
  const sql = yield* SqlClient
  const page = yield* newestFirstBy("d.created_at", "d.id")
  const columns = sql.literal(shownDeliveryColumns("d", "l.epoch"))

  /** Deliveries of an endpoint that is there: one that is removed has no lane. */
  const from = (workspaceId: WorkspaceId, id: OutgoingEndpointId) =>
    sql`FROM outgoing_lanes l JOIN outgoing_deliveries d ON d.endpoint_id = l.endpoint_id
      WHERE l.workspace_id = ${workspaceId} AND l.endpoint_id = ${id}
        AND d.workspace_id = ${workspaceId} AND d.endpoint_id = ${id}`

  /** Where deliveries of a status stand in the index; a canceled backlog may still stand with the pending ones. */
  const placesOf = (
    workspaceId: WorkspaceId,
    id: OutgoingEndpointId
  ): Record<DeliveryStatus, ReadonlyArray<Fragment>> => {
    const ofLane = (what: string) =>
      sql`(SELECT ${sql(what)} FROM outgoing_lanes WHERE workspace_id = ${workspaceId} AND endpoint_id = ${id})`
    return {
      pending: [sql`d.status = 'pending' AND d.epoch = ${ofLane("epoch")}`],
      delivered: [sql`d.status = 'delivered'`],
      failed: [sql`d.status = 'failed'`],
      canceled: [
        sql`d.status = 'canceled'`,
        sql`${ofLane("has_canceled")} AND d.status = 'pending' AND d.epoch < ${ofLane("epoch")}`
      ]
    }
  }

  /** A page of several statuses is the newest of a page of each. */
  const list = Effect.fnUntraced(function* (
    workspaceId: WorkspaceId,
    id: OutgoingEndpointId,
    status: Option.Option<DeliveryStatus>,
    request: PageRequest
  ) {
    const places = placesOf(workspaceId, id)
    const wanted = Option.match(status, { onNone: () => Object.values(places).flat(), onSome: (one) => places[one] })
    const pages = wanted.map(
      (isThere) => sql`(SELECT ${columns} ${from(workspaceId, id)} AND ${isThere} ${page(request)})`
    )
    return yield* deliveryPage(
      sql`SELECT * FROM (${sql.join(" UNION ALL ", false)(pages)}) d
        ORDER BY created_at DESC, id DESC LIMIT ${request.limit + 1}`,
      request.limit
    )
  })

  const find = Effect.fnUntraced(function* (workspaceId: WorkspaceId, id: OutgoingEndpointId, deliveryId: string) {
    const row = yield* first(LogRow)(sql`SELECT ${columns}, d.log ${from(workspaceId, id)} AND d.id = ${deliveryId}`)
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
    const audit = yield* makeAppendAudit
    const lanes = yield* makeLanes
    const reads = yield* makeReads
    const columns = sql.literal(endpointColumns)

    /** Goes on with what is decided and committed. */
    const finish = <A>(rows: Effect.Effect<A, SqlError | Schema.SchemaError>) =>
      rows.pipe(
        storeCall("outgoing.finish", "unknown"),
        Effect.catchTag("StoreUnavailable", (error) =>
          Effect.logWarning("deliveries of an endpoint wait for the next sweep", error)
        )
      )

    /** Begins anew, unless it is being sent, or its endpoint is disabled. */
    const restart = Effect.fnUntraced(function* (
      workspaceId: WorkspaceId,
      id: OutgoingEndpointId,
      deliveryId: string,
      now: DateTime.Utc
    ) {
      // Held, so that whoever disables it waits, and then finds what waits for it.
      const enabled = yield* sql`SELECT 1 FROM outgoing_endpoints WHERE workspace_id = ${workspaceId} AND id = ${id}
        AND status <> 'disabled' AND removed_at IS NULL FOR KEY SHARE`
      yield* lanes.lock(workspaceId, [id])
      const found = yield* reads.find(workspaceId, id, deliveryId)
      if (Option.isNone(found)) return Option.none()
      if (enabled.length === 0) return Option.some(found.value.delivery)
      const again = yield* all(ReplacedRow)(sql`UPDATE outgoing_deliveries d
        SET status = 'pending', attempts_in_schedule = 0, due_at = ${at(now)},
          epoch = (SELECT epoch FROM outgoing_lanes WHERE workspace_id = ${workspaceId} AND endpoint_id = ${id})
        WHERE workspace_id = ${workspaceId} AND id = ${deliveryId} AND endpoint_id = ${id} AND lease_token IS NULL
          AND NOT ${lanes.isInHand(sql`d`, workspaceId, sql`${at(now)}`)}
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
          return yield* endpointPage(
            sql`SELECT ${columns} FROM outgoing_endpoints
              WHERE workspace_id = ${workspaceId} AND removed_at IS NULL ${page(request)}`,
            request.limit
          )
        },
        storeCall("outgoing.list", "no")
      ),

      update: Effect.fn("PgOutgoingEndpointStore.update")((workspaceId, id, change, now) =>
        sql.withTransaction(writes.update(workspaceId, id, change, now)).pipe(
          storeCall("outgoing.update", "unknown"),
          Effect.tap((found) =>
            Option.exists(found, ({ status }) => status === "disabled")
              ? finish(writes.cancelRest(changedAtOnce))
              : Effect.void
          )
        )
      ),

      remove: Effect.fn("PgOutgoingEndpointStore.remove")(function* (workspaceId, id) {
        const hidden = yield* DateTime.now.pipe(
          Effect.flatMap((now) => writes.hide(workspaceId, sql`id = ${id}`, now)),
          Effect.tap((count) =>
            count === 0 ? Effect.void : audit(workspaceId, { action: "webhook_endpoint.deleted", targetId: id })
          ),
          sql.withTransaction,
          storeCall("outgoing.remove", "unknown")
        )
        if (hidden === 0) return false
        yield* finish(writes.removeRest(changedAtOnce))
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
            SELECT ${workspaceId}::text, ${sql.literal(insertedColumns)}, jsonb_build_array(${toLogged(attempt)}::jsonb)
            FROM jsonb_to_recordset(${toJson([toDeliveryRecord(delivery, 1)])}::jsonb) AS d (${sql.literal(deliveryRecord)})
            CROSS JOIN (VALUES (${storable(delivery.body)}::text)) AS b (body)`
        },
        sql.withTransaction,
        storeCall("outgoing.addExample", "unknown")
      )
    })
  })
)
