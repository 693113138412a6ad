import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ActorType } from "@loopbox/core/audit/Actor"
import { AuditAction, type AuditEvent, targetTypeOf } from "@loopbox/core/audit/AuditEvent"
import { AuditEventId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { plain } from "./rows.ts"

export const AuditRow = Schema.Struct({
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

export const auditColumns = Object.keys(AuditRow.fields).join(", ")

export const toAuditEvent = (row: typeof AuditRow.Type): AuditEvent => ({
  id: row.id,
  workspaceId: row.workspace_id,
  createdAt: DateTime.fromDateUnsafe(row.at),
  actor: { type: row.actor_type, id: Option.fromNullOr(row.actor_id) },
  action: row.action,
  target: { type: targetTypeOf[row.action], id: row.target_id },
  requestId: Option.fromNullOr(row.request_id),
  details: row.details
})
