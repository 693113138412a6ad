import { SourceName } from "../names.ts"
import {
  accountNotFound,
  operationStatuses,
  type ReplyFailure,
  type ShownOperation
} from "@loopbox/core/items/ShownOperation"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Time } from "../DataBody.ts"

const failureCodes = ["PLATFORM_ERROR", "PLATFORM_RATE_LIMITED", "X_RECONNECT_REQUIRED", "EXPIRED"] as const

/** A reply on its way, on the wire (api.md §3): every key is always there. */
export const OperationBody = Schema.Struct({
  id: Schema.String,
  item_id: Schema.String.annotate({ description: "What is answered." }),
  source: SourceName,
  status: Schema.Literals(operationStatuses).annotate({
    description:
      "`pending`: nothing was sent, so far; with an `error` a replay of its key sends it. `outcome_unknown`: it may " +
      "have been posted, and is looked for, never sent again. `remote_succeeded`: the network has it."
  }),
  attempts: Schema.Int.annotate({ description: "Times that a worker began to send it." }),
  response_item_id: Schema.NullOr(Schema.String).annotate({ description: "The item that it made." }),
  error: Schema.NullOr(Schema.Struct({ code: Schema.Literals(failureCodes), message: Schema.String })),
  reconciliation_deadline: Schema.NullOr(Time).annotate({
    description: "Until when it will be known what became of it; null until it was tried."
  }),
  reconciliation_required: Schema.Boolean.annotate({ description: "A person must look at the network." }),
  created_at: Time,
  updated_at: Time
}).annotate({
  identifier: "OutboundOperation",
  examples: [
    {
      id: "op_01k9j8n3q5s7u9w1y3a5c7e9g1",
      item_id: "itm_01k9j8n3q5s7u9w1y3a5c7e9g1",
      source: "x_reply",
      status: "outcome_unknown",
      attempts: 1,
      response_item_id: null,
      error: null,
      reconciliation_deadline: "2026-11-21T07:30:00.000Z",
      reconciliation_required: false,
      created_at: "2026-11-21T07:00:00.000Z",
      updated_at: "2026-11-21T07:00:10.000Z"
    }
  ]
})
export type OperationBody = typeof OperationBody.Type

/** Why nothing was sent, as a code and a sentence for a person. */
export const failureText = ({
  kind,
  missingScopes,
  reason
}: ReplyFailure): { readonly code: (typeof failureCodes)[number]; readonly message: string } => {
  const why = Option.match(reason, { onNone: () => "", onSome: (text) => ` (${text})` })
  switch (kind) {
    case "refused":
      if (Option.contains(reason, accountNotFound)) {
        return {
          code: "PLATFORM_ERROR",
          message: "The account belongs to another managed user by now. Nothing was sent."
        }
      }
      return { code: "PLATFORM_ERROR", message: `The network refused the reply${why}. Nothing was posted.` }
    case "unavailable":
      return {
        code: "PLATFORM_ERROR",
        message: `The network could not be reached${why}. Nothing was sent; the same request may be made again.`
      }
    case "rate_limited":
      return {
        code: "PLATFORM_RATE_LIMITED",
        message: "The network limits the rate. Nothing was sent; make the same request again later."
      }
    case "reconnect_required":
      return {
        code: "X_RECONNECT_REQUIRED",
        message:
          missingScopes.length === 0
            ? "Connect the account again: its credential is no longer good. Nothing was sent."
            : `Connect the account again, with ${missingScopes.join(", ")}. Nothing was sent.`
      }
    case "expired":
      return { code: "EXPIRED", message: "Nothing was sent in time. Use a new Idempotency-Key to reply." }
  }
}

export const toOperationBody = (operation: ShownOperation): OperationBody => ({
  id: operation.id,
  item_id: operation.itemId,
  source: operation.source,
  status: operation.status,
  attempts: operation.attempts,
  response_item_id: Option.getOrNull(operation.responseItemId),
  error: Option.getOrNull(Option.map(operation.failure, failureText)),
  reconciliation_deadline: Option.getOrNull(Option.map(operation.reconciliationDeadline, DateTime.formatIso)),
  reconciliation_required: operation.status === "needs_reconciliation",
  created_at: DateTime.formatIso(operation.createdAt),
  updated_at: DateTime.formatIso(operation.updatedAt)
})
