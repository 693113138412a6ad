import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { OutcomeUnknown, type ReadFailed, Unavailable, type WriteFailed } from "../connectors/ConnectorErrors.ts"
import type { Posted } from "../connectors/InboundActivity.ts"
import { networkOf } from "../connectors/Source.ts"
import type { OpenAccount } from "../inbox/AccountTokens.ts"
import type { AccountUnusable } from "../inbox/InboxErrors.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { OutboundOperation } from "./OutboundOperation.ts"
import type { OperationClaim } from "./OutboundStore.ts"
import * as outboundMetrics from "./outboundMetrics.ts"
import { type ReplyPorts, toReply } from "./replyPorts.ts"
import { settleByAnswer } from "./settleByFacts.ts"
import { storeReply } from "./storeReply.ts"
import { failed, isTooLate, prepared } from "./transitions.ts"

export interface Limits {
  /** For a whole step at a network, the renewal of a token included. */
  readonly step: Duration.Input
}

const unavailable = ({ source }: OutboundOperation, detail: string) =>
  new Unavailable({ network: networkOf(source), networkCode: Option.none(), detail, reason: "upstream" })

const unknown = ({ source }: OutboundOperation, detail: string) =>
  new OutcomeUnknown({ network: networkOf(source), networkCode: Option.none(), detail })

/** The store is asked only before a network is: nothing was posted. */
const storeAway = (operation: OutboundOperation) => (error: StoreUnavailable) =>
  Effect.andThen(
    Effect.logWarning("a reply could not be sent: the store is away", error),
    Effect.fail(unavailable(operation, "the store is away"))
  )

/** Opens the account. */
export const openAccount = (
  ports: ReplyPorts,
  operation: OutboundOperation
): Effect.Effect<OpenAccount, AccountUnusable | Unavailable> =>
  Effect.catchTag(ports.open(operation), "StoreUnavailable", storeAway(operation))

/**
 * What has to be there before the reply is sent. A first step that is lost is repeated: it shows nothing to anyone
 * (social-networks.md §8).
 */
export const prepare = (
  ports: ReplyPorts,
  operation: OutboundOperation,
  account: OpenAccount,
  limits: Limits
): Effect.Effect<Option.Option<string>, ReadFailed> =>
  Effect.interruptible(
    account.use((access) => ports.connectorFor(operation).prepareReply(access, toReply(operation)))
  ).pipe(
    Effect.catchTag("StoreUnavailable", storeAway(operation)),
    Effect.retry({
      while: (error) => error._tag === "Unavailable" && (error.reason === "upstream" || error.reason === "unreadable"),
      times: 2
    }),
    Effect.timeoutOrElse({
      duration: limits.step,
      orElse: () => Effect.fail(unavailable(operation, "it was not prepared in time"))
    })
  )

/**
 * Sends, at most once. Whatever ends it without an answer after it began leaves the outcome unknown: a time-out, and a
 * bug of a connector too.
 */
export const send = (
  ports: ReplyPorts,
  operation: OutboundOperation,
  account: OpenAccount,
  preparation: Option.Option<string>,
  limits: Limits
): Effect.Effect<Posted, WriteFailed> => {
  let hasBegun = false
  const lost = (detail: string) =>
    Effect.suspend(() => Effect.fail(hasBegun ? unknown(operation, detail) : unavailable(operation, detail)))
  return Effect.interruptible(
    account.use((access) =>
      Effect.gen(function* () {
        // The machine may have slept since the attempt was noted.
        if (isTooLate(operation, yield* DateTime.now)) return yield* unavailable(operation, "it would come too late")
        hasBegun = true
        return yield* ports.connectorFor(operation).sendReply(access, toReply(operation), preparation)
      })
    )
  ).pipe(
    Effect.map(({ posted }) => posted),
    // A dead token: the network took nothing, and the store could not note that it is dead.
    Effect.catchTag("StoreUnavailable", storeAway(operation)),
    Effect.timeoutOrElse({ duration: limits.step, orElse: () => lost("no answer in time") }),
    Effect.catchDefect((defect) =>
      Effect.andThen(Effect.logError("a connector died while it sent a reply", defect), lost("the connector died"))
    )
  )
}

const isSending = ({ state }: OutboundOperation) => state._tag === "Sending"
const isAccepted = ({ state }: OutboundOperation) => state._tag === "RemoteSucceeded"

/** Keeps what the network answered, and stores the item that it made. */
export const settleAccepted = Effect.fnUntraced(function* (ports: ReplyPorts, claim: OperationClaim, posted: Posted) {
  const settled = yield* ports.reconcile(
    claim,
    [posted.externalId],
    (facts, now) => settleByAnswer(facts, posted, now),
    isAccepted
  )
  return isAccepted(settled) ? yield* storeReply(ports, claim, settled) : yield* outboundMetrics.note(settled)
})

/** The one attempt of an operation that was just noted as being sent. */
export const attemptReply = Effect.fnUntraced(function* (
  ports: ReplyPorts,
  claim: OperationClaim,
  operation: OutboundOperation,
  limits: Limits
) {
  const attempt = Effect.gen(function* () {
    const account = yield* openAccount(ports, operation)
    const preparation = yield* prepare(ports, operation, account, limits)
    if (Option.isSome(preparation)) {
      // Before it is published: what a later look, and a second publishing, go by.
      yield* ports.change(claim, (current) => prepared(current, preparation.value), isSending)
    }
    return yield* send(ports, operation, account, preparation, limits)
  })
  const settleFailed = Effect.fnUntraced(function* (error: WriteFailed | AccountUnusable) {
    const settled = yield* ports.change(
      claim,
      (current, now) => failed(current, error, now),
      () => false
    )
    yield* outboundMetrics.note(settled)
    // The network has seen the text before: perhaps from an attempt whose outcome is not known.
    if (error._tag === "Rejected" && error.reason === "duplicate") yield* ports.store.hasten(operation)
  })
  yield* attempt.pipe(
    Effect.matchEffect({
      onSuccess: (posted) => settleAccepted(ports, claim, posted),
      onFailure: (error) =>
        error._tag === "OperationLeaseLost" || error._tag === "StoreUnavailable"
          ? Effect.fail(error)
          : settleFailed(error)
    })
  )
})
