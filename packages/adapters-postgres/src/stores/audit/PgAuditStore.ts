import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { ActorType } from "@loopbox/core/audit/Actor"
import { AuditAction, type AuditEvent, targetTypeOf } from "@loopbox/core/audit/AuditEvent"
import { AuditStore } from "@loopbox/core/audit/AuditStore"
import { AuditEventId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { toPage } from "@loopbox/core/kernel/Page"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { all, newestFirstBy, plain } from "../../rows/rows.ts"
import { storable } from "../../rows/text.ts"

const AuditRow = Schema.Struct({
  workspace_id: WorkspaceId,
  id: AuditEventId,
  at: plain.moment,
  actor_type: ActorType,
  actor_id: plain.text,
  action: AuditAction,
  target_id: Schema.String,
  request_id: plain.text,
  details: Schema.Record(Schema.String, Schema.String)
})

const toEvent = (row: typeof AuditRow.Type): AuditEvent => ({
  id: row.id,
  workspaceId: row.workspace_id,
  createdAt: DateTime.fromDateUnsafe(row.at),
  actor: { type: row.actor_type, id: Option.fromNullOr(row.actor_id) },
  action: row.action,
  target: { type: targetTypeOf[row.action], id: row.target_id },
  requestId: Option.fromNullOr(row.request_id),
  details: row.details
})

export const layer: Layer.Layer<AuditStore, never, SqlClient> = Layer.effect(
  AuditStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const storeCall = yield* makeStoreCall
    const page = yield* newestFirstBy("at", "id")
    const equals = (column: string, value: Option.Option<string>) =>
      Option.match(value, {
        onNone: () => sql.literal(""),
        onSome: (given) => sql`AND ${sql(column)} = ${storable(given)}`
      })

    return AuditStore.of({
      list: Effect.fn("PgAuditStore.list")(
        function* (workspaceId, { action, actorId, targetId }, request) {
          const rows = yield* all(AuditRow)(sql`SELECT workspace_id, id, at, actor_type, actor_id, action, target_id,
              request_id, details
            FROM audit_events WHERE workspace_id = ${workspaceId} ${equals("actor_id", actorId)}
              ${equals("action", action)} ${equals("target_id", targetId)} ${page(request)}`)
          return toPage(rows.map(toEvent), request.limit)
        },
        storeCall("audit.list", "no")
      )
    })
  })
)
