import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Posted } from "../networks/InboundActivity.ts"
import type { ReplyLook } from "../networks/Reply.ts"
import type { OpenAccount } from "../accounts/AccountTokens.ts"
import { type Limits, openAccount, prepare, send, settleAccepted } from "./attemptReply.ts"
import type { OutboundOperation } from "../outbound/OutboundOperation.ts"
import type { OperationClaim } from "../outbound/OutboundStore.ts"
import * as outboundMetrics from "../outbound/outboundMetrics.ts"
import { type ReplyPorts, toReply } from "./replyPorts.ts"
import { untilStored } from "../kernel/untilStored.ts"
import { settleByFacts } from "./settleByFacts.ts"
import { storeReply } from "./storeReply.ts"
import {
  cameToNothing,
  completed,
  isLookDue,
  looked,
  neverPublished,
  prepared,
  unpublished
} from "../outbound/transitions.ts"

const isUnknown = ({ state }: OutboundOperation) => state._tag === "OutcomeUnknown"
const isAccepted = ({ state }: OutboundOperation) => state._tag === "RemoteSucceeded"
const handBack = () => false

/**
 * Settles by stored items and the result of the look-up. If neither matches, waits for the next look-up; a private reply
 * that is known to have arrived is completed without its item, which its echo brings.
 */
const settle = Effect.fnUntraced(function* (
  ports: ReplyPorts,
  claim: OperationClaim,
  shown: ReadonlyArray<Posted>,
  hasArrived = false
) {
  const settled = yield* ports.reconcile(
    claim,
    shown.map(({ externalId }) => externalId),
    (facts, now) => {
      const operation = settleByFacts(ports.traitsOf(facts.operation), facts, shown, now)
      if (!isUnknown(operation)) return operation
      return hasArrived
        ? completed(operation, { externalId: `private reply:${operation.id}`, itemId: Option.none() }, now)
        : looked(operation, now)
    },
    isAccepted
  )
  if (isAccepted(settled)) return yield* storeReply(ports, claim, settled)
  if (!isUnknown(settled)) yield* outboundMetrics.note(settled)
})

/** Ends a look-up with a pure transition. */
const end = Effect.fnUntraced(function* (
  ports: ReplyPorts,
  claim: OperationClaim,
  next: (operation: OutboundOperation, now: DateTime.Utc) => OutboundOperation
) {
  const settled = yield* ports.change(claim, next, handBack)
  if (!isUnknown(settled)) yield* outboundMetrics.note(settled)
})

/** Publishes a container that is known as not published. Threads publishes a container at most once. */
const publish = Effect.fnUntraced(function* (
  ports: ReplyPorts,
  claim: OperationClaim,
  operation: OutboundOperation,
  account: OpenAccount,
  preparation: string,
  limits: Limits
) {
  yield* send(ports, operation, account, Option.some(preparation), limits).pipe(
    Effect.matchEffect({
      // Also after a refusal: the previous attempt may have published it at this moment.
      onFailure: () => settle(ports, claim, []),
      onSuccess: (posted) => settleAccepted(ports, claim, posted)
    })
  )
})

/** A worker crashed before it published anything: publishes now, or never if it is too late. */
const publishAnew = Effect.fnUntraced(function* (
  ports: ReplyPorts,
  claim: OperationClaim,
  operation: OutboundOperation,
  limits: Limits
) {
  const made = yield* Effect.option(
    Effect.gen(function* () {
      const account = yield* openAccount(ports, operation)
      return { account, preparation: yield* prepare(ports, operation, account, limits) }
    })
  )
  if (Option.isNone(made) || Option.isNone(made.value.preparation)) return yield* settle(ports, claim, [])
  const { account, preparation } = made.value
  const { value } = preparation
  const current = yield* ports.change(claim, (held) => prepared(held, value), isUnknown)
  yield* publish(ports, claim, current, account, value, limits)
})

const ask = Effect.fnUntraced(function* (
  ports: ReplyPorts,
  operation: OutboundOperation,
  account: OpenAccount,
  limits: Limits
) {
  const { state } = operation
  if (state._tag !== "OutcomeUnknown") return Option.none<ReplyLook>()
  const { attemptedAt, preparation } = state
  const uncertain = { reply: toReply(operation), preparation, attemptedAt }
  yield* Metric.update(Metric.withAttributes(outboundMetrics.looks, { source: operation.source }), 1)
  return yield* Effect.interruptible(
    account.use((access) => ports.connectorFor(operation).findReply(access, uncertain))
  ).pipe(
    Effect.timeoutOption(limits.step),
    Effect.tapError((error) => Effect.logDebug("a reply could not be looked for", error)),
    Effect.orElseSucceed(() => Option.none<ReplyLook>())
  )
})

/**
 * Sends a private reply with an unknown outcome again: a network takes one for a comment, so that it has one effect, and
 * a refusal because there is one proves that it has arrived (social-networks-write.md C).
 */
const sendPrivatelyAgain = Effect.fnUntraced(function* (
  ports: ReplyPorts,
  claim: OperationClaim,
  operation: OutboundOperation,
  account: OpenAccount,
  limits: Limits
) {
  const sent = yield* Effect.result(send(ports, operation, account, Option.none(), limits))
  if (Result.isSuccess(sent)) return yield* settleAccepted(ports, claim, sent.success)
  const { failure } = sent
  if (failure._tag !== "Rejected" || failure.reason !== "already_replied") return yield* settle(ports, claim, [])
  yield* untilStored(ports.markAnswered(operation))
  const look = yield* ask(ports, operation, account, limits)
  const shown = Option.isSome(look) && look.value._tag === "Candidates" ? look.value.posted : []
  yield* settle(ports, claim, shown, true)
})

/** Looks up a reply with an unknown outcome: in stored items and, when due, at its network. */
export const lookForReply = Effect.fnUntraced(function* (
  ports: ReplyPorts,
  claim: OperationClaim,
  operation: OutboundOperation,
  limits: Limits
) {
  const isNetworkAsked = isLookDue(operation, yield* DateTime.now)
  const current = yield* ports.reconcile(
    claim,
    [],
    (facts, now) => settleByFacts(ports.traitsOf(facts.operation), facts, [], now),
    (held) => isAccepted(held) || (isUnknown(held) && isNetworkAsked)
  )
  if (isAccepted(current)) return yield* storeReply(ports, claim, current)
  if (!isUnknown(current)) return yield* outboundMetrics.note(current)
  if (!isNetworkAsked) return
  const anew = unpublished(ports.traitsOf(current), current, yield* DateTime.now)
  if (anew === "never") return yield* end(ports, claim, neverPublished)
  if (anew === "again") return yield* publishAnew(ports, claim, current, limits)

  const account = yield* Effect.option(openAccount(ports, current))
  if (Option.isSome(current.privately)) {
    return Option.isSome(account)
      ? yield* sendPrivatelyAgain(ports, claim, current, account.value, limits)
      : yield* settle(ports, claim, [])
  }
  const look = Option.isSome(account) ? yield* ask(ports, current, account.value, limits) : Option.none<ReplyLook>()
  if (Option.isNone(look) || Option.isNone(account)) return yield* settle(ports, claim, [])
  switch (look.value._tag) {
    case "Candidates":
      return yield* settle(ports, claim, look.value.posted)
    case "Failed":
      return yield* end(ports, claim, cameToNothing)
    case "NotPublished": {
      const preparation = current.state._tag === "OutcomeUnknown" ? current.state.preparation : Option.none()
      return Option.isSome(preparation)
        ? yield* publish(ports, claim, current, account.value, preparation.value, limits)
        : yield* settle(ports, claim, [])
    }
  }
})
