import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import {
  OutcomeUnknown,
  type ReadFailed,
  Rejected,
  Unavailable,
  type WriteFailed
} from "../networks/ConnectorErrors.ts"
import type { AccountAccess } from "../networks/AccountAccess.ts"
import type { Posted } from "../networks/InboundActivity.ts"
import type { ReplyMedia, SentReply } from "../networks/Reply.ts"
import type { OpenAccount } from "../accounts/AccountTokens.ts"
import { AccountUnusable } from "../accounts/AccountErrors.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { maySend, type OutboundOperation } from "../outbound/OutboundOperation.ts"
import type { OperationClaim } from "../outbound/OutboundStore.ts"
import * as outboundMetrics from "../outbound/outboundMetrics.ts"
import { type ReplyPorts, toPrivateReply, toReply } from "./replyPorts.ts"
import { settleByAnswer } from "./settleByFacts.ts"
import { storeReply } from "./storeReply.ts"
import { failed, isTooLate, prepared } from "../outbound/transitions.ts"

export interface Limits {
  /** Time limit of a whole step at a network, including a token renewal. */
  readonly step: Duration.Input
}

const unavailable = (ports: ReplyPorts, operation: OutboundOperation, detail: string) =>
  new Unavailable({ network: ports.networkOf(operation), networkCode: Option.none(), detail, reason: "upstream" })

const unknown = (ports: ReplyPorts, operation: OutboundOperation, detail: string) =>
  new OutcomeUnknown({ network: ports.networkOf(operation), networkCode: Option.none(), detail })

/** The store is only read before the network is called, so nothing was posted. */
const storeAway = (ports: ReplyPorts, operation: OutboundOperation) => (error: StoreUnavailable) =>
  Effect.andThen(
    Effect.logWarning("a reply could not be sent: the store is away", error),
    Effect.fail(unavailable(ports, operation, "the store is away"))
  )

/** Opens the account. */
export const openAccount = (
  ports: ReplyPorts,
  operation: OutboundOperation
): Effect.Effect<OpenAccount, AccountUnusable | Unavailable> =>
  Effect.catchTag(ports.open(operation), "StoreUnavailable", storeAway(ports, operation))

/**
 * Prepares the reply before it is sent. A lost preparation may be repeated, because nobody can see it
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
    Effect.catchTag("StoreUnavailable", storeAway(ports, operation)),
    Effect.retry({
      while: (error) => error._tag === "Unavailable" && (error.reason === "upstream" || error.reason === "unreadable"),
      times: 2
    }),
    Effect.timeoutOrElse({
      duration: limits.step,
      orElse: () => Effect.fail(unavailable(ports, operation, "it was not prepared in time"))
    })
  )

/**
 * The file with the address from which the network loads it. It was there when the reply was accepted, and is in use; one
 * that is gone all the same is refused, and no other try finds it.
 */
const findMedia = Effect.fnUntraced(function* (ports: ReplyPorts, operation: OutboundOperation) {
  const [file] = operation.media
  if (file === undefined) return Option.none<ReplyMedia>()
  const found = yield* ports.files
    .find(operation.workspaceId, file.mediaId)
    .pipe(Effect.catchTag("StoreUnavailable", storeAway(ports, operation)))
  if (Option.isSome(found) && found.value._tag === "ReadyMedia") {
    return Option.some<ReplyMedia>({ kind: file.kind, link: yield* ports.links.linkTo(found.value) })
  }
  return yield* new Rejected({
    network: ports.networkOf(operation),
    networkCode: Option.none(),
    detail: `the file ${file.mediaId} is gone`,
    reason: "other"
  })
})

/** Whose account it is, asked right before the call: it may have been moved while the reply waited, or was prepared. */
const requireOwner = Effect.fnUntraced(function* (ports: ReplyPorts, operation: OutboundOperation) {
  const { accountId, workspaceId } = operation
  if (Option.isNone(operation.externalUserId)) return
  const account = yield* ports.accounts
    .find(workspaceId, accountId)
    .pipe(Effect.catchTag("StoreUnavailable", storeAway(ports, operation)))
  if (Option.exists(account, (found) => maySend(operation, found))) return
  return yield* new AccountUnusable({ accountId, reason: Option.isSome(account) ? "other_owner" : "not_connected" })
})

/** The one call that sends. */
const write = (
  ports: ReplyPorts,
  operation: OutboundOperation,
  access: AccountAccess,
  preparation: Option.Option<string>,
  media: Option.Option<ReplyMedia>
): Effect.Effect<SentReply, WriteFailed> => {
  const connector = ports.connectorFor(operation)
  if (Option.isNone(operation.privately)) return connector.sendReply(access, toReply(operation, media), preparation)
  return connector.moderate === undefined
    ? Effect.fail(unavailable(ports, operation, "the network has no private replies"))
    : connector.moderate.replyPrivately(access, toPrivateReply(operation, operation.privately.value))
}

/**
 * Sends at most once. If it ends without an answer, by a time-out or a defect of the connector, the outcome is unknown.
 */
export const send = (
  ports: ReplyPorts,
  operation: OutboundOperation,
  account: OpenAccount,
  preparation: Option.Option<string>,
  limits: Limits
): Effect.Effect<Posted, WriteFailed | AccountUnusable> => {
  let hasBegun = false
  const lost = (detail: string) =>
    Effect.suspend(() =>
      Effect.fail(hasBegun ? unknown(ports, operation, detail) : unavailable(ports, operation, detail))
    )
  return Effect.interruptible(
    account.use((access) =>
      Effect.gen(function* () {
        // The machine may have been suspended since the attempt was stored.
        if (isTooLate(operation, yield* DateTime.now))
          return yield* unavailable(ports, operation, "it would come too late")
        const media = yield* findMedia(ports, operation)
        yield* requireOwner(ports, operation)
        hasBegun = true
        return yield* write(ports, operation, access, preparation, media)
      })
    )
  ).pipe(
    Effect.map(({ posted }) => posted),
    // The token is invalid, so the network accepted nothing, and the store could not record that.
    Effect.catchTag("StoreUnavailable", storeAway(ports, operation)),
    Effect.timeoutOrElse({ duration: limits.step, orElse: () => lost("no answer in time") }),
    Effect.catchDefect((defect) =>
      Effect.andThen(Effect.logError("a connector died while it sent a reply", defect), lost("the connector died"))
    )
  )
}

const isSending = ({ state }: OutboundOperation) => state._tag === "Sending"
const isAccepted = ({ state }: OutboundOperation) => state._tag === "RemoteSucceeded"

/** Stores the network's answer, and the reply as an item. */
export const settleAccepted = Effect.fnUntraced(function* (ports: ReplyPorts, claim: OperationClaim, posted: Posted) {
  const settled = yield* ports.reconcile(
    claim,
    [posted.externalId],
    (facts, now) => settleByAnswer(facts, posted, now),
    isAccepted
  )
  return isAccepted(settled) ? yield* storeReply(ports, claim, settled) : yield* outboundMetrics.note(settled)
})

/** The only attempt of an operation that was just stored as being sent. */
export const attemptReply = Effect.fnUntraced(function* (
  ports: ReplyPorts,
  claim: OperationClaim,
  operation: OutboundOperation,
  limits: Limits
) {
  const attempt = Effect.gen(function* () {
    const account = yield* openAccount(ports, operation)
    const preparation = Option.isSome(operation.privately)
      ? Option.none<string>()
      : yield* prepare(ports, operation, account, limits)
    if (Option.isSome(preparation)) {
      // Stored before it is published, because a later look-up or retry needs it.
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
    // Somebody answered the comment before, by hand maybe: nobody has to try again.
    if (Option.isSome(operation.privately) && error._tag === "Rejected" && error.reason === "already_replied") {
      yield* ports.markAnswered(operation)
    }
    // The network has already seen this text, perhaps from an attempt with an unknown outcome.
    if (error._tag === "Rejected" && error.reason === "duplicate") yield* ports.store.hasten(operation)
  })
  yield* attempt.pipe(
    Effect.matchEffect({
      onSuccess: (posted) => settleAccepted(ports, claim, posted),
      onFailure: (error) =>
        error._tag === "LeaseLost" || error._tag === "StoreUnavailable" ? Effect.fail(error) : settleFailed(error)
    })
  )
})
