import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type OperationStatus, ReplyFailure } from "../items/ShownOperation.ts"
import { ReplyMediaKind, ReplyTag } from "../networks/Reply.ts"
import { Source } from "../networks/Source.ts"
import { IdempotencyKey } from "../kernel/IdempotencyKey.ts"
import { InboxItemId, MediaId, OutboundOperationId, SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import { AcceptedReply } from "./AcceptedReply.ts"

/**
 * Accepted and not yet tried, or to be tried again after a replay of its key. A worker sends it at once, or not at all.
 */
export class Waiting extends Schema.TaggedClass<Waiting>()("Waiting", {
  /** When it was requested. */
  since: Schema.DateTimeUtc
}) {}

/** Known as not posted. Only a replay of its key sends it again. */
export class Held extends Schema.TaggedClass<Held>()("Held", {
  since: Schema.DateTimeUtc,
  failure: ReplyFailure
}) {}

/** An attempt whose request may have been sent. */
const attempt = {
  /** When it started, by our clock. */
  attemptedAt: Schema.DateTimeUtc,
  /** The connector's preparation: a container, which is published at most once (Threads). */
  preparation: Schema.Option(Schema.String)
}

/** A worker is sending it. */
export class Sending extends Schema.TaggedClass<Sending>()("Sending", attempt) {}

/** It may have been posted. Never sent again, but looked up until the deadline. */
export class OutcomeUnknown extends Schema.TaggedClass<OutcomeUnknown>()("OutcomeUnknown", {
  ...attempt,
  /** Time of the last look-up. */
  lookedAt: Schema.Option(Schema.DateTimeUtc),
  /** Something indicates that it was posted, so it is looked up at once. */
  isHastened: Schema.Boolean
}) {}

/** The network accepted it, but it is not stored as an item yet. */
export class RemoteSucceeded extends Schema.TaggedClass<RemoteSucceeded>()("RemoteSucceeded", {
  attemptedAt: Schema.DateTimeUtc,
  accepted: AcceptedReply,
  /** Failed attempts to store it. */
  tries: Schema.Int,
  /** When to try to store it. */
  storeAt: Schema.DateTimeUtc
}) {}

export class Completed extends Schema.TaggedClass<Completed>()("Completed", {
  attemptedAt: Schema.DateTimeUtc,
  endedAt: Schema.DateTimeUtc,
  /** The network's id of the posted reply. */
  responseExternalId: Schema.String,
  /** Absent if it was deleted on the network before it was stored. */
  responseItemId: Schema.Option(InboxItemId)
}) {}

/** Known as not posted; final. */
export class RejectedReply extends Schema.TaggedClass<RejectedReply>()("Rejected", {
  endedAt: Schema.DateTimeUtc,
  failure: ReplyFailure
}) {}

/** It stayed unknown whether it was posted: a person must check. */
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

/** The answered item, at the time of the request. */
export const TargetOfReply = Schema.Struct({
  externalId: Schema.String,
  replyTargetId: Schema.String,
  threadKey: Schema.String,
  linkedPostId: Schema.Option(Schema.String)
})

/** Of a private reply: the kind of direct message that it is, and to whom. */
export const PrivateTarget = Schema.Struct({
  source: Source,
  /** Who wrote the comment, if the network said so. */
  authorId: Schema.Option(Schema.String)
})
export type PrivateTarget = typeof PrivateTarget.Type

/** A file that a reply carries. It is in use until the reply has ended. */
export const MediaOfReply = Schema.Struct({ mediaId: MediaId, kind: ReplyMediaKind })
export type MediaOfReply = typeof MediaOfReply.Type

/** One reply to one item, from acceptance to its final state (design §6). */
export class OutboundOperation extends Schema.Class<OutboundOperation>("@loopbox/core/outbound/OutboundOperation")({
  id: OutboundOperationId,
  workspaceId: WorkspaceId,
  accountId: SocialAccountId,
  itemId: InboxItemId,
  /**
   * Whose account it was when the reply was asked for. Absent if nobody's, in operations of before, and once it has ended, for
   * it names a person.
   */
  externalUserId: Schema.Option(Schema.String).pipe(
    Schema.withDecodingDefaultTypeKey(Effect.succeedNone),
    Schema.withConstructorDefault(Effect.succeedNone)
  ),
  source: Source,
  idempotencyKey: Schema.Option(IdempotencyKey),
  /** Trimmed. Empty only beside a file. */
  text: Schema.String,
  /** At most one. */
  media: Schema.Array(MediaOfReply).pipe(
    Schema.withDecodingDefaultTypeKey(Effect.succeed([])),
    Schema.withConstructorDefault(Effect.succeed([]))
  ),
  target: TargetOfReply,
  /** Given if it answers a comment by a direct message; the thread of its target is that of the conversation then. */
  privately: Schema.Option(PrivateTarget).pipe(
    Schema.withDecodingDefaultTypeKey(Effect.succeedNone),
    Schema.withConstructorDefault(Effect.succeedNone)
  ),
  /** As it was asked for. */
  tag: Schema.Option(ReplyTag).pipe(
    Schema.withDecodingDefaultTypeKey(Effect.succeedNone),
    Schema.withConstructorDefault(Effect.succeedNone)
  ),
  /** The standard window was over, so that the network hears of the tag. */
  isTagged: Schema.Boolean.pipe(
    Schema.withDecodingDefaultTypeKey(Effect.succeed(false)),
    Schema.withConstructorDefault(Effect.succeed(false))
  ),
  /** How many times a worker started to send it. */
  attempts: Schema.Int,
  state: OperationState,
  createdAt: Schema.DateTimeUtc,
  /** Time of the last change of its state. */
  updatedAt: Schema.DateTimeUtc
}) {}

/** The source of the item that it makes: for a private reply that of direct messages. */
export const sentSourceOf = ({ privately, source }: OutboundOperation): Source =>
  Option.match(privately, { onNone: () => source, onSome: (target) => target.source })

/**
 * Whether a managed user's reply may still be sent from an account: it may be another user's since the reply was accepted
 * (api-2-decided B27).
 */
export const maySend = (
  { externalUserId }: OutboundOperation,
  account: { readonly externalUserId: Option.Option<string> }
): boolean => Option.isNone(externalUserId) || Option.contains(account.externalUserId, externalUserId.value)

/** The statuses that are not final. */
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

/** When the look-ups of an attempt end (design §6). */
export const deadlineOf = (attemptedAt: DateTime.Utc): DateTime.Utc => DateTime.add(attemptedAt, { minutes: 30 })
