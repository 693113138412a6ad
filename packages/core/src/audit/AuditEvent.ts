import type * as DateTime from "effect/DateTime"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AuditEventId, WorkspaceId } from "../kernel/Ids.ts"
import type { Actor } from "./Actor.ts"

/** What is audited (api-2-decided B19): the type of the target, and what happened to it. */
export const auditActions = [
  "api_key.created",
  "api_key.revoked",
  "member.set",
  "member.removed",
  "managed_user.created",
  "managed_user.exported",
  "managed_user.erased",
  "account.connected",
  "account.updated",
  "account.moved",
  "account.disconnected",
  "workspace.updated",
  "post.created",
  "post.updated",
  "post.published",
  "post.canceled",
  "post.target_retried",
  "post.target_deleted",
  "post.deleted",
  "item.hidden",
  "item.unhidden",
  "item.deleted",
  "webhook_endpoint.created",
  "webhook_endpoint.updated",
  "webhook_endpoint.deleted",
  "webhook_endpoint.secret_rotated"
] as const

export const AuditAction = Schema.Literals(auditActions)
export type AuditAction = typeof AuditAction.Type

type TypeOf<Action> = Action extends `${infer Type}.${string}` ? Type : never
export type AuditTargetType = TypeOf<AuditAction>

/** Which kind of thing each action is about. */
export const targetTypeOf: { readonly [Action in AuditAction]: TypeOf<Action> } = {
  "api_key.created": "api_key",
  "api_key.revoked": "api_key",
  "member.set": "member",
  "member.removed": "member",
  "managed_user.created": "managed_user",
  "managed_user.exported": "managed_user",
  "managed_user.erased": "managed_user",
  "account.connected": "account",
  "account.updated": "account",
  "account.moved": "account",
  "account.disconnected": "account",
  "workspace.updated": "workspace",
  "post.created": "post",
  "post.updated": "post",
  "post.published": "post",
  "post.canceled": "post",
  "post.target_retried": "post",
  "post.target_deleted": "post",
  "post.deleted": "post",
  "item.hidden": "item",
  "item.unhidden": "item",
  "item.deleted": "item",
  "webhook_endpoint.created": "webhook_endpoint",
  "webhook_endpoint.updated": "webhook_endpoint",
  "webhook_endpoint.deleted": "webhook_endpoint",
  "webhook_endpoint.secret_rotated": "webhook_endpoint"
}

/** Never a text that people wrote, and never a token. */
export type AuditDetails = Readonly<Record<string, string>>

/** What a store writes in the transaction of a change. */
export interface AuditEntry {
  readonly action: AuditAction
  /** The id of the key, member, user, account, workspace, post or item. */
  readonly targetId: string
  readonly details?: AuditDetails
  /** Of a write that may be repeated, after it came to an end that nobody heard of: the event is kept once. */
  readonly id?: AuditEventId
}

/** One change, as it is kept. */
export interface AuditEvent {
  readonly id: AuditEventId
  readonly workspaceId: WorkspaceId
  readonly createdAt: DateTime.Utc
  readonly actor: Pick<Actor, "type" | "id">
  readonly action: AuditAction
  /** Of an erased managed user the id is a digest (`erasedUserId`). */
  readonly target: { readonly type: AuditTargetType; readonly id: string }
  readonly requestId: Option.Option<string>
  readonly details: AuditDetails
}
