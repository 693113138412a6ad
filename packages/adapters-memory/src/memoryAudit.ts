import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Actor, CurrentActor } from "@loopbox/core/audit/Actor"
import { type AuditEntry, type AuditEvent, targetTypeOf } from "@loopbox/core/audit/AuditEvent"
import { AuditEventId, toBase32, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { MemoryInbox } from "./memoryInbox.ts"

/** Who makes a change, and when. */
export interface Change {
  readonly actor: Actor
  readonly now: DateTime.Utc
}

/** Runs a transaction with what its audit needs. It does not pause. */
export const changing = <A>(self: (change: Change) => A): Effect.Effect<A> => Effect.map(change, self)

/** The same, for a transaction that may pause before it begins. */
export const change: Effect.Effect<Change> = Effect.flatMap(CurrentActor, (actor) =>
  Effect.map(DateTime.now, (now) => ({ actor, now }))
)

/** Ids sort by time, and at the same time by their order. */
const idOf = (now: DateTime.Utc, place: number): AuditEventId => {
  const bytes = new Uint8Array(16)
  const view = new DataView(bytes.buffer)
  view.setBigUint64(0, BigInt(Math.max(0, DateTime.toEpochMillis(now))) << 16n)
  view.setUint32(12, place)
  return AuditEventId.make(`aud_${toBase32(bytes)}`)
}

/** Appends what was changed to the audit: a step of the transaction of the change. */
export const audit = (
  { audit: events }: MemoryInbox,
  { actor, now }: Change,
  workspaceId: WorkspaceId,
  { action, details = {}, id: given, targetId }: AuditEntry
): void => {
  const { id, requestId, type } = actor
  if (given !== undefined && events.kept.some((event) => event.id === given)) return
  events.last++
  events.kept.push({
    id: given ?? idOf(now, events.last),
    workspaceId,
    createdAt: now,
    actor: { type, id },
    action,
    target: { type: targetTypeOf[action], id: targetId },
    requestId,
    details
  })
}

/** Puts a digest in place of an erased user. */
export const unnameAudit = (
  { audit: events }: MemoryInbox,
  workspaceId: WorkspaceId,
  externalUserId: string,
  digest: string
): void => {
  const isNamed = ({ target, workspaceId: of }: AuditEvent) =>
    of === workspaceId && target.type === "managed_user" && target.id === externalUserId
  events.kept = events.kept.map((event) =>
    isNamed(event) ? { ...event, target: { ...event.target, id: digest } } : event
  )
}

export const matchesAudit = (
  filter: { readonly [Member in "actorId" | "action" | "targetId"]: Option.Option<string> },
  { action, actor, target }: AuditEvent
): boolean =>
  Option.getOrElse(filter.action, () => action) === action &&
  Option.getOrElse(filter.targetId, () => target.id) === target.id &&
  (Option.isNone(filter.actorId) || Option.contains(actor.id, filter.actorId.value))
