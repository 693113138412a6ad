import type { ReplyFailure } from "@loopbox/core/items/ShownOperation"
import type { OutboundOperation } from "@loopbox/core/outbound/OutboundOperation"
import type { ReplyOutcome } from "@loopbox/core/replies/Replies"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Details } from "../../api/ErrorBody.ts"
import type { ErrorCode, StatusOf } from "../../api/errorCodes.ts"
import { toItemBody } from "../../api/inbox/ItemBody.ts"
import { failureText } from "../../api/inbox/OperationBody.ts"
import { refusalResponse } from "../edge/refusalResponse.ts"
import { answer, refusal } from "../edge/refuse.ts"

/** Seconds after which to ask a network again that limits the rate and does not say for how long. */
const backOffSeconds = 60

/** An error that carries the operation. */
const refuseAs = <const C extends ErrorCode>(
  { id }: OutboundOperation,
  code: C,
  more: {
    readonly message?: string
    readonly details?: Details
    readonly status?: StatusOf<C>
  } = {}
) =>
  Effect.map(refusal(code, more.message, { operation_id: id, ...more.details }), (body) =>
    refusalResponse(body, more.status)
  )

const refuseFailure = Effect.fnUntraced(function* (operation: OutboundOperation, failure: ReplyFailure) {
  const { kind, missingScopes, networkCode, reason, retryAt } = failure
  const text = failureText(failure)
  // EXPIRED is a state of operations; the answer to its key is that of what was refused.
  const code = text.code === "EXPIRED" ? "PLATFORM_ERROR" : text.code
  const why = kind === "expired" ? Option.some("expired") : reason
  const details = {
    ...(kind === "reconnect_required"
      ? { missing_scopes: missingScopes }
      : { network_code: Option.getOrNull(networkCode) }),
    ...(Option.isSome(why) ? { reason: why.value } : {})
  }
  const more = { message: text.message, details }
  const response = yield* kind === "unavailable"
    ? refuseAs(operation, "PLATFORM_ERROR", { ...more, status: 502 })
    : refuseAs(operation, code, more)
  if (kind !== "rate_limited") return response
  const now = yield* DateTime.now
  const seconds = Option.match(retryAt, {
    onNone: () => backOffSeconds,
    onSome: (at) => Math.ceil((DateTime.toEpochMillis(at) - DateTime.toEpochMillis(now)) / 1_000)
  })
  return HttpServerResponse.setHeader(response, "retry-after", String(Math.max(1, seconds)))
})

const accepted = (operation: OutboundOperation) => refuseAs(operation, "X_REMOTE_ACCEPTED_RECONCILING")

const respond = ({ item, operation }: ReplyOutcome) => {
  const { state } = operation
  switch (state._tag) {
    case "Completed":
      return Option.match(item, {
        onNone: () => accepted(operation),
        onSome: (sent) => Effect.map(answer(toItemBody(sent)), (body) => HttpServerResponse.jsonUnsafe(body))
      })
    case "RemoteSucceeded":
      return accepted(operation)
    case "Held":
    case "Rejected":
      return refuseFailure(operation, state.failure)
    case "NeedsReconciliation":
      return refuseAs(operation, "X_WRITE_NEEDS_RECONCILIATION")
    default:
      return refuseAs(operation, "X_WRITE_OUTCOME_PENDING")
  }
}

/** The outcome of a reply on the wire (api.md §3, "Reply outcomes"). */
export const replyAnswer = (outcome: ReplyOutcome) =>
  Effect.map(respond(outcome), HttpServerResponse.setHeader("x-operation-id", outcome.operation.id))
