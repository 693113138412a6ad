import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { Source } from "../connectors/Source.ts"
import type { FailureKind, OperationStatus } from "../outbound/OutboundOperation.ts"
import type { ShownOperation } from "../outbound/ShownOperation.ts"

/** What became of a reply, as plain data (api.md §3). */
export interface PlainOperation {
  readonly id: string
  readonly itemId: string
  readonly source: Source
  /** `pending` and `outcome_unknown`, too, are answers: read the operation later, or ask again with the same key. */
  readonly status: OperationStatus
  readonly attempts: number
  readonly responseItemId: string | null
  /** Why nothing was sent, so far or for good. */
  readonly failure: {
    readonly kind: FailureKind
    readonly networkCode: string | null
    readonly reason: string | null
    readonly retryAt: Date | null
    readonly missingScopes: ReadonlyArray<string>
  } | null
  readonly reconciliationDeadline: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

const dateOf = (time: Option.Option<DateTime.Utc>) => Option.getOrNull(Option.map(time, DateTime.toDateUtc))

export const toPlainOperation = (operation: ShownOperation): PlainOperation => ({
  id: operation.id,
  itemId: operation.itemId,
  source: operation.source,
  status: operation.status,
  attempts: operation.attempts,
  responseItemId: Option.getOrNull(operation.responseItemId),
  failure: Option.getOrNull(
    Option.map(operation.failure, ({ kind, missingScopes, networkCode, reason, retryAt }) => ({
      kind,
      networkCode: Option.getOrNull(networkCode),
      reason: Option.getOrNull(reason),
      retryAt: dateOf(retryAt),
      missingScopes
    }))
  ),
  reconciliationDeadline: dateOf(operation.reconciliationDeadline),
  createdAt: DateTime.toDateUtc(operation.createdAt),
  updatedAt: DateTime.toDateUtc(operation.updatedAt)
})
