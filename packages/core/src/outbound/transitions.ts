import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type { WriteFailed } from "../networks/ConnectorErrors.ts"
import type { Posted } from "../networks/InboundActivity.ts"
import type { SourceTraits } from "../networks/Network.ts"
import type { AccountUnusable } from "../accounts/AccountErrors.ts"
import type { InboxItemId } from "../kernel/Ids.ts"
import { toAccepted } from "./AcceptedReply.ts"
import { nextLook } from "./nextLook.ts"
import {
  Completed,
  deadlineOf,
  Held,
  NeedsReconciliation,
  type OperationState,
  OutboundOperation,
  OutcomeUnknown,
  RejectedReply,
  RemoteSucceeded,
  Sending,
  Waiting
} from "./OutboundOperation.ts"
import { accountNotFound, ReplyFailure } from "../items/ShownOperation.ts"

/**
 * A reply that no worker started to send within this time is not sent any more: a late reply would surprise the user
 * (design §6).
 */
const sendWithin = Duration.seconds(60)

/** How long a reply that is known as not posted waits for a replay of its key. */
const heldFor = Duration.hours(24)

/** Longest pause between two attempts to store an accepted reply. */
const maxStoreWait = Duration.minutes(5)

const isPast = (at: DateTime.Utc, now: DateTime.Utc) => DateTime.isLessThanOrEqualTo(at, now)

const withState = (operation: OutboundOperation, state: OperationState, now: DateTime.Utc): OutboundOperation =>
  new OutboundOperation({
    ...operation,
    externalUserId: "endedAt" in state ? Option.none() : operation.externalUserId,
    state,
    updatedAt: now
  })

const failureOf = (kind: ReplyFailure["kind"]): ReplyFailure =>
  new ReplyFailure({
    kind,
    networkCode: Option.none(),
    reason: Option.none(),
    retryAt: Option.none(),
    missingScopes: []
  })

/** The account can't be used until it is connected again. */
const reconnectRequired = failureOf("reconnect_required")

/** The account belongs to another managed user by now. Of a kind that older versions read, too, which run beside this one. */
const ofOtherOwner = new ReplyFailure({ ...failureOf("refused"), reason: Option.some(accountNotFound) })

/** When the network is next called to look up an unknown outcome. */
const lookAt = ({ attemptedAt, isHastened, lookedAt }: OutcomeUnknown): DateTime.Utc =>
  isHastened
    ? attemptedAt
    : nextLook(
        attemptedAt,
        Option.getOrElse(lookedAt, () => attemptedAt),
        deadlineOf(attemptedAt)
      )

/**
 * Whether to call the network, and not only compare stored items: a webhook may make an operation due before its next
 * look-up.
 */
export const isLookDue = ({ state }: OutboundOperation, now: DateTime.Utc): boolean =>
  state._tag === "OutcomeUnknown" && isPast(lookAt(state), now)

/** Makes a reply with an unknown outcome due at once. */
export const hastened = (operation: OutboundOperation): OutboundOperation =>
  operation.state._tag === "OutcomeUnknown"
    ? new OutboundOperation({ ...operation, state: new OutcomeUnknown({ ...operation.state, isHastened: true }) })
    : operation

/** When an operation is due for a worker, if ever; `begin` decides what to do then. */
export const dueAt = ({ state }: OutboundOperation): Option.Option<DateTime.Utc> => {
  switch (state._tag) {
    case "Waiting":
      return Option.some(state.since)
    case "Held":
      return Option.some(DateTime.addDuration(state.since, heldFor))
    case "Sending":
      // The lease protects it while it is being sent; after that its worker has crashed.
      return Option.some(state.attemptedAt)
    case "OutcomeUnknown":
      return Option.some(lookAt(state))
    case "RemoteSucceeded":
      return Option.some(state.storeAt)
    default:
      return Option.none()
  }
}

/** When it reached a final state, if it has. */
export const endOf = ({ state }: OutboundOperation): Option.Option<DateTime.Utc> =>
  "endedAt" in state ? Option.some(state.endedAt) : Option.none()

/** The network's id of the posted reply, if known. */
export const responseIdOf = ({ state }: OutboundOperation): Option.Option<string> => {
  if (state._tag === "RemoteSucceeded") return Option.some(state.accepted.externalId)
  return state._tag === "Completed" ? Option.some(state.responseExternalId) : Option.none()
}

const reject = (operation: OutboundOperation, failure: ReplyFailure, now: DateTime.Utc) =>
  withState(operation, new RejectedReply({ endedAt: now, failure }), now)

/** Expires an operation that was not sent in time, and returns any other unchanged. */
export const expire = (operation: OutboundOperation, now: DateTime.Utc): OutboundOperation => {
  const { state } = operation
  if (state._tag !== "Waiting" && state._tag !== "Held") return operation
  const end = DateTime.addDuration(state.since, state._tag === "Waiting" ? sendWithin : heldFor)
  return isPast(end, now) ? reject(operation, failureOf("expired"), now) : operation
}

/** Handles a replay of its key: a reply that is known as not posted is sent again. */
export const rearm = (operation: OutboundOperation, now: DateTime.Utc): OutboundOperation =>
  operation.state._tag === "Held" ? withState(operation, new Waiting({ since: now }), now) : operation

/**
 * The state of an operation after it is claimed, committed before anything else is done.
 *
 * An operation in `sending` has lost its worker. It may have been posted, so it is never sent again (design §6).
 */
export const begin = (operation: OutboundOperation, now: DateTime.Utc): OutboundOperation => {
  const { state } = operation
  switch (state._tag) {
    case "Waiting": {
      const current = expire(operation, now)
      if (current !== operation) return current
      const sending = new Sending({ attemptedAt: now, preparation: Option.none() })
      return new OutboundOperation({ ...withState(operation, sending, now), attempts: operation.attempts + 1 })
    }
    case "Held":
      return expire(operation, now)
    case "Sending":
      return uncertain(operation, now)
    case "OutcomeUnknown":
      return Option.isSome(state.lookedAt) && isPast(deadlineOf(state.attemptedAt), now)
        ? unreconciled(operation, now)
        : operation
    default:
      return operation
  }
}

/** Whether an attempt started so long ago that its lease has expired, and that it must not be sent any more. */
export const isTooLate = ({ state }: OutboundOperation, now: DateTime.Utc): boolean =>
  state._tag === "Sending" && isPast(DateTime.addDuration(state.attemptedAt, sendWithin), now)

/** Records the preparation before it is published. Not visible to readers. */
export const prepared = (operation: OutboundOperation, preparation: string): OutboundOperation => {
  const { state } = operation
  const kept = { preparation: Option.some(preparation) }
  if (state._tag === "Sending") {
    return new OutboundOperation({ ...operation, state: new Sending({ ...state, ...kept }) })
  }
  return state._tag === "OutcomeUnknown"
    ? new OutboundOperation({ ...operation, state: new OutcomeUnknown({ ...state, ...kept }) })
    : operation
}

/** The attempt may have reached the network. */
export const uncertain = (operation: OutboundOperation, now: DateTime.Utc): OutboundOperation => {
  const { state } = operation
  if (state._tag !== "Sending") return operation
  const { attemptedAt, preparation } = state
  const lookedAt = Option.none()
  return withState(operation, new OutcomeUnknown({ attemptedAt, preparation, lookedAt, isHastened: false }), now)
}

/** Nothing was posted. With a key it can be replayed, without one it is rejected (api.md §3). */
const hold = (operation: OutboundOperation, failure: ReplyFailure, now: DateTime.Utc): OutboundOperation =>
  Option.isSome(operation.idempotencyKey)
    ? withState(operation, new Held({ since: now, failure }), now)
    : reject(operation, failure, now)

/** An attempt failed, or its outcome is unknown. */
export const failed = (
  operation: OutboundOperation,
  error: WriteFailed | AccountUnusable,
  now: DateTime.Utc
): OutboundOperation => {
  if (operation.state._tag !== "Sending") return operation
  if (error._tag === "OutcomeUnknown") return uncertain(operation, now)
  if (error._tag === "AccountUnusable") {
    // For good: who had the account is not to be heard from again on what is another's.
    return error.reason === "other_owner"
      ? reject(operation, ofOtherOwner, now)
      : hold(operation, reconnectRequired, now)
  }
  const { networkCode } = error
  switch (error._tag) {
    case "Rejected":
      return reject(
        operation,
        new ReplyFailure({ ...failureOf("refused"), networkCode, reason: Option.some(error.reason) }),
        now
      )
    case "RateLimited":
      return hold(
        operation,
        new ReplyFailure({ ...failureOf("rate_limited"), networkCode, retryAt: error.retryAt }),
        now
      )
    case "AuthExpired":
      return hold(
        operation,
        new ReplyFailure({ ...reconnectRequired, networkCode, missingScopes: error.missingScopes }),
        now
      )
    case "Unavailable":
      return hold(
        operation,
        new ReplyFailure({
          ...failureOf("unavailable"),
          networkCode,
          reason: Option.some(error.reason),
          retryAt: error.retryAt
        }),
        now
      )
  }
}

/** The network has it, according to its answer, a look-up or a webhook. */
export const accepted = (operation: OutboundOperation, posted: Posted, now: DateTime.Utc): OutboundOperation => {
  const { state } = operation
  if (state._tag !== "Sending" && state._tag !== "OutcomeUnknown") return operation
  return withState(
    operation,
    new RemoteSucceeded({ attemptedAt: state.attemptedAt, accepted: toAccepted(posted), tries: 0, storeAt: now }),
    now
  )
}

/** It is stored as an item, or was deleted before. */
export const completed = (
  operation: OutboundOperation,
  response: { readonly externalId: string; readonly itemId: Option.Option<InboxItemId> },
  now: DateTime.Utc
): OutboundOperation => {
  const { state } = operation
  if (state._tag !== "RemoteSucceeded" && state._tag !== "OutcomeUnknown") return operation
  const done = new Completed({
    attemptedAt: state.attemptedAt,
    endedAt: now,
    responseExternalId: response.externalId,
    responseItemId: response.itemId
  })
  return withState(operation, done, now)
}

/** Storing it failed; retried after 1 s, 2 s, 4 s … at most 5 minutes. */
export const storeLater = (operation: OutboundOperation, now: DateTime.Utc): OutboundOperation => {
  const { state } = operation
  if (state._tag !== "RemoteSucceeded") return operation
  const wait = Duration.min(Duration.seconds(2 ** Math.min(state.tries, 10)), maxStoreWait)
  const later = { tries: state.tries + 1, storeAt: DateTime.addDuration(now, wait) }
  return new OutboundOperation({ ...operation, state: new RemoteSucceeded({ ...state, ...later }) })
}

/** A look-up found nothing; the next one, or the deadline, decides. */
export const looked = (operation: OutboundOperation, now: DateTime.Utc): OutboundOperation => {
  const { state } = operation
  if (state._tag !== "OutcomeUnknown") return operation
  if (isPast(deadlineOf(state.attemptedAt), now)) return unreconciled(operation, now)
  const after = { lookedAt: Option.some(now), isHastened: false }
  return new OutboundOperation({ ...operation, state: new OutcomeUnknown({ ...state, ...after }) })
}

/** The outcome can't be found automatically. */
export const unreconciled = (operation: OutboundOperation, now: DateTime.Utc): OutboundOperation => {
  const { state } = operation
  if (state._tag !== "OutcomeUnknown" && state._tag !== "Sending") return operation
  return withState(operation, new NeedsReconciliation({ attemptedAt: state.attemptedAt, endedAt: now }), now)
}

/** The network says that the preparation failed permanently. */
export const cameToNothing = (operation: OutboundOperation, now: DateTime.Utc): OutboundOperation =>
  operation.state._tag === "OutcomeUnknown"
    ? reject(operation, new ReplyFailure({ ...failureOf("refused"), reason: Option.some("other") }), now)
    : operation

/**
 * A worker crashed before it published anything: the id of the container is stored before publishing, and there is
 * none.
 *
 * `again`: it may still be prepared and published, because it is not older than `sendWithin`.
 */
export const unpublished = (
  { preparesReply }: SourceTraits,
  { state }: OutboundOperation,
  now: DateTime.Utc
): "again" | "never" | undefined => {
  if (state._tag !== "OutcomeUnknown" || Option.isSome(state.preparation) || !preparesReply) return undefined
  return isPast(DateTime.addDuration(state.attemptedAt, sendWithin), now) ? "never" : "again"
}

/** Ends a reply that was never published. */
export const neverPublished = (operation: OutboundOperation, now: DateTime.Utc): OutboundOperation =>
  operation.state._tag === "OutcomeUnknown" ? reject(operation, failureOf("expired"), now) : operation
