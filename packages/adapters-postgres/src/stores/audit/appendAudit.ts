import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { CurrentActor } from "@loopbox/core/audit/Actor"
import { type AuditEntry, targetTypeOf } from "@loopbox/core/audit/AuditEvent"
import { nextAuditEventId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import { at } from "../../rows/rows.ts"
import { storable, storableOrNull, toJson } from "../../rows/text.ts"

/** Appends what was changed to the audit, with who did it: a statement of the transaction of the change. */
export const makeAppendAudit = Effect.gen(function* () {
  const sql = yield* SqlClient
  const random = yield* Effect.service(SecureRandom.SecureRandom).pipe(Effect.provide(SecureRandom.layerWebCrypto))

  return Effect.fnUntraced(function* (workspaceId: WorkspaceId, entry: AuditEntry) {
    const { action, details = {}, targetId } = entry
    const { id, requestId, type } = yield* CurrentActor
    yield* sql`INSERT INTO audit_events
        (workspace_id, id, at, actor_type, actor_id, action, target_type, target_id, request_id, details)
      VALUES (${workspaceId}, ${entry.id ?? (yield* nextAuditEventId(random))}, ${at(yield* DateTime.now)}, ${type},
        ${storableOrNull(id)}, ${action}, ${targetTypeOf[action]}, ${storable(targetId)}, ${storableOrNull(requestId)},
        ${toJson(details)}::jsonb) ON CONFLICT DO NOTHING`
  })
})
