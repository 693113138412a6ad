import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type { WriteFailed } from "../connectors/ConnectorErrors.ts"
import type { Posted } from "../connectors/InboundActivity.ts"
import type { Source } from "../connectors/Source.ts"
import type { AccountUnusable } from "../inbox/InboxErrors.ts"
import type { InboxItemId } from "../kernel/Ids.ts"
import { toAccepted } from "./AcceptedReply.ts"
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
  ReplyFailure,
  Sending,
  Waiting
} from "./OutboundOperation.ts"

/** A reply that no worker began to send within this is not sent any more: it would come by surprise (design §6). */
const sendWithin = Duration.seconds(60)

/** A reply that was surely not posted waits so long for a replay of its key. */
const heldFor = Duration.hours(24)

/** From the attempt on, when a reply whose outcome is not known is looked for (design §6). */
const looksAfter = [
  Duration.seconds(5),
  Duration.seconds(15),
  Duration.seconds(60),
  Duration.minutes(5),
  Duration.minutes(15),
  Duration.minutes(29)
]

/** Longest wait between two tries to store an accepted reply. */
const maxStoreWait = Duration.minutes(5)

const isPast = (at: DateTime.Utc, now: DateTime.Utc) => DateTime.isLessThanOrEqualTo(at, now)

const withState = (operation: OutboundOperation, state: OperationState, now: DateTime.Utc): OutboundOperation =>
  new OutboundOperation({ ...operation, state, updatedAt: now })

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

/** Only Threads prepares, and nothing is published before the container's id is kept. */
const isPrepared = (source: Source): boolean => source === "threads_reply"

/** When the outcome of an attempt is looked for next, after a look at `after`; the deadline is the last of them. */
const nextLook = (attemptedAt: DateTime.Utc, after: DateTime.Utc): DateTime.Utc =>
  looksAfter
    .map((wait) => DateTime.addDuration(attemptedAt, wait))
    .find((look) => DateTime.isGreaterThan(look, after)) ?? deadlineOf(attemptedAt)

/** When the network is asked next for a reply of unknown outcome. */
const lookAt = ({ attemptedAt, isHastened, lookedAt }: OutcomeUnknown): DateTime.Utc =>
  isHastened
    ? attemptedAt
    : nextLook(
        attemptedAt,
        Option.getOrElse(lookedAt, () => attemptedAt)
      )

/** Whether the network is to be asked, and not only what is stored here: a webhook may wake an operation in between. */
export const isLookDue = ({ state }: OutboundOperation, now: DateTime.Utc): boolean =>
  state._tag === "OutcomeUnknown" && isPast(lookAt(state), now)

/** Has a reply of unknown outcome looked for at once. */
export const hastened = (operation: OutboundOperation): OutboundOperation =>
  operation.state._tag === "OutcomeUnknown"
    ? new OutboundOperation({ ...operation, state: new OutcomeUnknown({ ...operation.state, isHastened: true }) })
    : operation

/** When a worker has to do something about an operation, if ever; what it is then `begin` says. */
export const dueAt = ({ state }: OutboundOperation): Option.Option<DateTime.Utc> => {
  switch (state._tag) {
    case "Waiting":
      return Option.some(state.since)
    case "Held":
      return Option.some(DateTime.addDuration(state.since, heldFor))
    case "Sending":
      // Its lease keeps others from it; when that ends, whoever had it is gone.
      return Option.some(state.attemptedAt)
    case "OutcomeUnknown":
      return Option.some(lookAt(state))
    case "RemoteSucceeded":
      return Option.some(state.storeAt)
    default:
      return Option.none()
  }
}

/** When it ended, if it has; nothing changes it afterwards. */
export const endOf = ({ state }: OutboundOperation): Option.Option<DateTime.Utc> =>
  "endedAt" in state ? Option.some(state.endedAt) : Option.none()

/** The network's id of what was posted, where it is known. */
export const responseIdOf = ({ state }: OutboundOperation): Option.Option<string> => {
  if (state._tag === "RemoteSucceeded") return Option.some(state.accepted.externalId)
  return state._tag === "Completed" ? Option.some(state.responseExternalId) : Option.none()
}

const reject = (operation: OutboundOperation, failure: ReplyFailure, now: DateTime.Utc) =>
  withState(operation, new RejectedReply({ endedAt: now, failure }), now)

/** Ends what nobody sent in time; leaves all others as they are. */
export const expire = (operation: OutboundOperation, now: DateTime.Utc): OutboundOperation => {
  const { state } = operation
  if (state._tag !== "Waiting" && state._tag !== "Held") return operation
  const end = DateTime.addDuration(state.since, state._tag === "Waiting" ? sendWithin : heldFor)
  return isPast(end, now) ? reject(operation, failureOf("expired"), now) : operation
}

/** A replay of its key lets a reply that was surely not posted be sent now. */
export const rearm = (operation: OutboundOperation, now: DateTime.Utc): OutboundOperation =>
  operation.state._tag === "Held" ? withState(operation, new Waiting({ since: now }), now) : operation

/**
 * What an operation is when a worker takes it, committed before anything else is done.
 *
 * One that is found in `sending` lost its worker: it may have been posted, so it is never sent again (design §6).
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

/** Whether an attempt took so long to begin that its lease is long lost, and sending it would come by surprise. */
export const isTooLate = ({ state }: OutboundOperation, now: DateTime.Utc): boolean =>
  state._tag === "Sending" && isPast(DateTime.addDuration(state.attemptedAt, sendWithin), now)

/** Keeps what was prepared, before it is published; readers see nothing of it. */
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

/** The attempt may have been heard or not. */
export const uncertain = (operation: OutboundOperation, now: DateTime.Utc): OutboundOperation => {
  const { state } = operation
  if (state._tag !== "Sending") return operation
  const { attemptedAt, preparation } = state
  const lookedAt = Option.none()
  return withState(operation, new OutcomeUnknown({ attemptedAt, preparation, lookedAt, isHastened: false }), now)
}

/** Nothing was posted: with a key it may be replayed, without one nobody could (api.md §3). */
const hold = (operation: OutboundOperation, failure: ReplyFailure, now: DateTime.Utc): OutboundOperation =>
  Option.isSome(operation.idempotencyKey)
    ? withState(operation, new Held({ since: now, failure }), now)
    : reject(operation, failure, now)

/** An attempt ended without the proof that it was posted. */
export const failed = (
  operation: OutboundOperation,
  error: WriteFailed | AccountUnusable,
  now: DateTime.Utc
): OutboundOperation => {
  if (operation.state._tag !== "Sending") return operation
  if (error._tag === "OutcomeUnknown") return uncertain(operation, now)
  if (error._tag === "AccountUnusable") return hold(operation, reconnectRequired, now)
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

/** The network has it, by its answer or by what a look or a webhook showed. */
export const accepted = (operation: OutboundOperation, posted: Posted, now: DateTime.Utc): OutboundOperation => {
  const { state } = operation
  if (state._tag !== "Sending" && state._tag !== "OutcomeUnknown") return operation
  return withState(
    operation,
    new RemoteSucceeded({ attemptedAt: state.attemptedAt, accepted: toAccepted(posted), tries: 0, storeAt: now }),
    now
  )
}

/** It is an item here, or was deleted before it could be one. */
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

/** It could not be stored now: 1 s, 2 s, 4 s … at most 5 minutes. */
export const storeLater = (operation: OutboundOperation, now: DateTime.Utc): OutboundOperation => {
  const { state } = operation
  if (state._tag !== "RemoteSucceeded") return operation
  const wait = Duration.min(Duration.seconds(2 ** Math.min(state.tries, 10)), maxStoreWait)
  const later = { tries: state.tries + 1, storeAt: DateTime.addDuration(now, wait) }
  return new OutboundOperation({ ...operation, state: new RemoteSucceeded({ ...state, ...later }) })
}

/** A look showed nothing: the next one, or the deadline, decides. */
export const looked = (operation: OutboundOperation, now: DateTime.Utc): OutboundOperation => {
  const { state } = operation
  if (state._tag !== "OutcomeUnknown") return operation
  if (isPast(deadlineOf(state.attemptedAt), now)) return unreconciled(operation, now)
  const after = { lookedAt: Option.some(now), isHastened: false }
  return new OutboundOperation({ ...operation, state: new OutcomeUnknown({ ...state, ...after }) })
}

/** A machine can't tell what became of it. */
export const unreconciled = (operation: OutboundOperation, now: DateTime.Utc): OutboundOperation => {
  const { state } = operation
  if (state._tag !== "OutcomeUnknown" && state._tag !== "Sending") return operation
  return withState(operation, new NeedsReconciliation({ attemptedAt: state.attemptedAt, endedAt: now }), now)
}

/** The network says that what was prepared came to nothing and never will. */
export const cameToNothing = (operation: OutboundOperation, now: DateTime.Utc): OutboundOperation =>
  operation.state._tag === "OutcomeUnknown"
    ? reject(operation, new ReplyFailure({ ...failureOf("refused"), reason: Option.some("other") }), now)
    : operation

/**
 * A worker was lost before anything was published (Threads alone): the container's id is kept first, and there is none.
 *
 * `again`: it may be prepared and published now; later than `sendWithin` it would come by surprise.
 */
export const unpublished = ({ source, state }: OutboundOperation, now: DateTime.Utc): "again" | "never" | undefined => {
  if (state._tag !== "OutcomeUnknown" || Option.isSome(state.preparation) || !isPrepared(source)) return undefined
  return isPast(DateTime.addDuration(state.attemptedAt, sendWithin), now) ? "never" : "again"
}

/** Ends a reply of which nothing was published. */
export const neverPublished = (operation: OutboundOperation, now: DateTime.Utc): OutboundOperation =>
  operation.state._tag === "OutcomeUnknown" ? reject(operation, failureOf("expired"), now) : operation
