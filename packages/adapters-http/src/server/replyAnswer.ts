import type { OutboundOperation, ReplyFailure } from "@loopbox/core/outbound/OutboundOperation"
import type { ReplyOutcome } from "@loopbox/core/outbound/Replies"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Details } from "../api/ErrorBody.ts"
import { toItemBody } from "../api/ItemBody.ts"
import { failureText } from "../api/OperationBody.ts"
import { answer, refusal } from "./refuse.ts"

/** Seconds after which to ask a network again that limits the rate and does not say for how long. */
const backOffSeconds = 60

const statusOfKind: Record<ReplyFailure["kind"], number> = {
  refused: 422,
  expired: 422,
  rate_limited: 429,
  unavailable: 502,
  reconnect_required: 409
}

/** An error that carries the operation; some have statuses that their code has not alone. */
const refuseAs = Effect.fnUntraced(function* (
  { id }: OutboundOperation,
  status: number,
  code: string,
  message: string,
  details: Details = {}
) {
  const body = yield* refusal(code, message, { operation_id: id, ...details })
  return HttpServerResponse.jsonUnsafe(body, { status })
})

const refuseFailure = Effect.fnUntraced(function* (operation: OutboundOperation, failure: ReplyFailure) {
  const { kind, missingScopes, networkCode, reason, retryAt } = failure
  const text = failureText(failure)
  // EXPIRED is a state of operations; the answer to its key is that of what was refused.
  const code = kind === "expired" ? "PLATFORM_ERROR" : text.code
  const why = kind === "expired" ? Option.some("expired") : reason
  const response = yield* refuseAs(operation, statusOfKind[kind], code, text.message, {
    ...(kind === "reconnect_required"
      ? { missing_scopes: missingScopes }
      : { network_code: Option.getOrNull(networkCode) }),
    ...(Option.isSome(why) ? { reason: why.value } : {})
  })
  if (kind !== "rate_limited") return response
  const now = yield* DateTime.now
  const seconds = Option.match(retryAt, {
    onNone: () => backOffSeconds,
    onSome: (at) => Math.ceil((DateTime.toEpochMillis(at) - DateTime.toEpochMillis(now)) / 1_000)
  })
  return HttpServerResponse.setHeader(response, "retry-after", String(Math.max(1, seconds)))
})

const accepted = (operation: OutboundOperation) =>
  refuseAs(
    operation,
    202,
    "X_REMOTE_ACCEPTED_RECONCILING",
    "The network has the reply; its item will follow by itself. Do not send it again."
  )

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
      return refuseAs(
        operation,
        409,
        "X_WRITE_NEEDS_RECONCILIATION",
        "It never became known whether the reply was posted. Look at the network before you answer again."
      )
    default:
      return refuseAs(
        operation,
        409,
        "X_WRITE_OUTCOME_PENDING",
        "It is not known yet whether the reply was posted. Read the operation, or repeat the request with its key."
      )
  }
}

/** The outcome of a reply on the wire (api.md §3, "Reply outcomes"). */
export const replyAnswer = (outcome: ReplyOutcome) =>
  Effect.map(respond(outcome), HttpServerResponse.setHeader("x-operation-id", outcome.operation.id))
