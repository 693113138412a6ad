import * as Schema from "effect/Schema"
import { InboxItemId, OutboundOperationId } from "../kernel/Ids.ts"
import { Source } from "../networks/Source.ts"

/**
 * Why a reply was not sent.
 *
 * - `refused`: the network refused permanently
 * - `rate_limited`: too many calls; a retry later may work
 * - `unavailable`: the network could not be reached before anything was sent
 * - `reconnect_required`: the account's credential is invalid or lacks a permission
 * - `expired`: no worker sent it in time
 */
export const FailureKind = Schema.Literals(["refused", "rate_limited", "unavailable", "reconnect_required", "expired"])
export type FailureKind = typeof FailureKind.Type

/** The reason of what was `refused` here, and not by the network: the account is another managed user's by now. */
export const accountNotFound = "account_not_found"

/** Why a reply was not sent: nothing was posted. */
export class ReplyFailure extends Schema.Class<ReplyFailure>("@loopbox/core/items/ReplyFailure")({
  kind: FailureKind,
  /** The network's own code. */
  networkCode: Schema.Option(Schema.String),
  /** The connector's own reason. */
  reason: Schema.Option(Schema.String),
  /** When to try again, if the network says so. */
  retryAt: Schema.Option(Schema.DateTimeUtc),
  missingScopes: Schema.Array(Schema.String)
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

/** What readers see of an operation (api.md §3). */
export const ShownOperation = Schema.Struct({
  id: OutboundOperationId,
  itemId: InboxItemId,
  source: Source,
  status: OperationStatus,
  attempts: Schema.Int,
  /** The item of the sent reply. */
  responseItemId: Schema.Option(InboxItemId),
  /** Why nothing was posted, so far or for good. */
  failure: Schema.Option(ReplyFailure),
  /** Once it was tried: when an unknown outcome is given up. */
  reconciliationDeadline: Schema.Option(Schema.DateTimeUtc),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
})
export type ShownOperation = typeof ShownOperation.Type
