import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { Source } from "../connectors/Source.ts"
import { IdempotencyKey } from "../kernel/IdempotencyKey.ts"
import { InboxItemId, OutboundOperationId, SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import { AcceptedReply } from "./AcceptedReply.ts"

/**
 * Why a reply was not sent.
 *
 * - `refused`: the network said no, for good
 * - `rate_limited`: too many calls; may be sent later
 * - `unavailable`: the network could not be reached before anything was sent
 * - `reconnect_required`: the account's credential is dead or lacks a permission
 * - `expired`: nobody sent it in time
 */
export const FailureKind = Schema.Literals(["refused", "rate_limited", "unavailable", "reconnect_required", "expired"])
export type FailureKind = typeof FailureKind.Type

/** Why a reply was not sent: nothing was posted. */
export class ReplyFailure extends Schema.Class<ReplyFailure>("@loopbox/core/outbound/ReplyFailure")({
  kind: FailureKind,
  /** The network's own code. */
  networkCode: Schema.Option(Schema.String),
  /** Which of the causes that its connector tells apart. */
  reason: Schema.Option(Schema.String),
  /** When it may be tried again, where the network says it. */
  retryAt: Schema.Option(Schema.DateTimeUtc),
  missingScopes: Schema.Array(Schema.String)
}) {}

/** Accepted here and not tried, or to be tried again by a replay of its key: a worker sends it at once, or not at all. */
export class Waiting extends Schema.TaggedClass<Waiting>()("Waiting", {
  /** When it was asked for. */
  since: Schema.DateTimeUtc
}) {}

/** Surely not posted. Only a replay of its key sends it now. */
export class Held extends Schema.TaggedClass<Held>()("Held", {
  since: Schema.DateTimeUtc,
  failure: ReplyFailure
}) {}

/** What is known of an attempt whose bytes may have gone out. */
const attempt = {
  /** When it began, by our clock. */
  attemptedAt: Schema.DateTimeUtc,
  /** What the connector prepared: a container, which is published once at most (Threads). */
  preparation: Schema.Option(Schema.String)
}

/** In the hands of one worker. */
export class Sending extends Schema.TaggedClass<Sending>()("Sending", attempt) {}

/** It may have been posted: never sent again, but looked for until the deadline. */
export class OutcomeUnknown extends Schema.TaggedClass<OutcomeUnknown>()("OutcomeUnknown", {
  ...attempt,
  /** When it was looked for last. */
  lookedAt: Schema.Option(Schema.DateTimeUtc),
  /** There is a sign that it was posted: it is looked for without waiting for the next look. */
  isHastened: Schema.Boolean
}) {}

/** The network has it; it is not an item here yet. */
export class RemoteSucceeded extends Schema.TaggedClass<RemoteSucceeded>()("RemoteSucceeded", {
  attemptedAt: Schema.DateTimeUtc,
  accepted: AcceptedReply,
  /** Tries to store it that failed. */
  tries: Schema.Int,
  /** When it is stored, or tried to be once more. */
  storeAt: Schema.DateTimeUtc
}) {}

export class Completed extends Schema.TaggedClass<Completed>()("Completed", {
  attemptedAt: Schema.DateTimeUtc,
  endedAt: Schema.DateTimeUtc,
  /** The network's id of what was posted. */
  responseExternalId: Schema.String,
  /** Absent when it was deleted on the network before it was stored here. */
  responseItemId: Schema.Option(InboxItemId)
}) {}

/** Surely not posted, for good. */
export class RejectedReply extends Schema.TaggedClass<RejectedReply>()("Rejected", {
  endedAt: Schema.DateTimeUtc,
  failure: ReplyFailure
}) {}

/** It never became known whether it was posted: a person must look. */
export class NeedsReconciliation extends Schema.TaggedClass<NeedsReconciliation>()("NeedsReconciliation", {
  attemptedAt: Schema.DateTimeUtc,
  endedAt: Schema.DateTimeUtc
}) {}

export const OperationState = Schema.Union([
  Waiting,
  Held,
  Sending,
  OutcomeUnknown,
  RemoteSucceeded,
  Completed,
  RejectedReply,
  NeedsReconciliation
])
export type OperationState = typeof OperationState.Type

/** What is answered, as it was when the reply was asked for. */
export const TargetOfReply = Schema.Struct({
  externalId: Schema.String,
  replyTargetId: Schema.String,
  threadKey: Schema.String,
  linkedPostId: Schema.Option(Schema.String)
})

/** One reply to one item, from its acceptance to its end (design §6). */
export class OutboundOperation extends Schema.Class<OutboundOperation>("@loopbox/core/outbound/OutboundOperation")({
  id: OutboundOperationId,
  workspaceId: WorkspaceId,
  accountId: SocialAccountId,
  itemId: InboxItemId,
  source: Source,
  idempotencyKey: Schema.Option(IdempotencyKey),
  /** Trimmed. */
  text: Schema.String,
  target: TargetOfReply,
  /** Times that a worker began to send it. */
  attempts: Schema.Int,
  state: OperationState,
  createdAt: Schema.DateTimeUtc,
  /** When its state changed last. */
  updatedAt: Schema.DateTimeUtc
}) {}

/** The wire's names of the states (api.md §3). */
export const operationStatuses = [
  "pending",
  "sending",
  "outcome_unknown",
  "remote_succeeded",
  "completed",
  "rejected",
  "needs_reconciliation"
] as const
export const OperationStatus = Schema.Literals(operationStatuses)
export type OperationStatus = typeof OperationStatus.Type

/** The statuses of operations that have not ended. */
export const openStatuses = ["pending", "sending", "outcome_unknown", "remote_succeeded"] as const

const statusOfTag: Record<OperationState["_tag"], OperationStatus> = {
  Waiting: "pending",
  Held: "pending",
  Sending: "sending",
  OutcomeUnknown: "outcome_unknown",
  RemoteSucceeded: "remote_succeeded",
  Completed: "completed",
  Rejected: "rejected",
  NeedsReconciliation: "needs_reconciliation"
}

export const statusOf = ({ state }: OutboundOperation): OperationStatus => statusOfTag[state._tag]

/** Until when it has to be known what became of an attempt (design §6). */
export const deadlineOf = (attemptedAt: DateTime.Utc): DateTime.Utc => DateTime.add(attemptedAt, { minutes: 30 })
