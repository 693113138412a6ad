import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { AuditStore } from "@loopbox/core/audit/AuditStore"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { AuditRow, auditColumns, toAuditEvent } from "../../rows/AuditRow.ts"
import { pageOf } from "../../rows/readableRows.ts"
import { newestFirstBy } from "../../rows/rows.ts"
import { storable } from "../../rows/text.ts"

const auditPage = pageOf("audit_events", AuditRow, toAuditEvent, { moment: "at", id: "id" })

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
          return yield* auditPage(
            sql`SELECT ${sql.literal(auditColumns)}
              FROM audit_events WHERE workspace_id = ${workspaceId} ${equals("actor_id", actorId)}
                ${equals("action", action)} ${equals("target_id", targetId)} ${page(request)}`,
            request.limit
          )
        },
        storeCall("audit.list", "no")
      )
    })
  })
)
