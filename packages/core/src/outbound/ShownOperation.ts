import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { InboxEvent } from "../inbox/InboxEvent.ts"
import { InboxItemId, OutboundOperationId } from "../kernel/Ids.ts"
import { Source } from "../connectors/Source.ts"
import { deadlineOf, type OutboundOperation, OperationStatus, ReplyFailure, statusOf } from "./OutboundOperation.ts"

/** What readers see of an operation (api.md §3). */
export const ShownOperation = Schema.Struct({
  id: OutboundOperationId,
  itemId: InboxItemId,
  source: Source,
  status: OperationStatus,
  attempts: Schema.Int,
  /** The item that it made. */
  responseItemId: Schema.Option(InboxItemId),
  /** Why nothing was posted, so far or for good. */
  failure: Schema.Option(ReplyFailure),
  /** Until when it will be known what became of it, once it was tried. */
  reconciliationDeadline: Schema.Option(Schema.DateTimeUtc),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
})
export type ShownOperation = typeof ShownOperation.Type

export const showOperation = (operation: OutboundOperation): ShownOperation => {
  const { attempts, createdAt, id, itemId, source, state, updatedAt } = operation
  return {
    id,
    itemId,
    source,
    status: statusOf(operation),
    attempts,
    responseItemId: state._tag === "Completed" ? state.responseItemId : Option.none(),
    failure: "failure" in state ? Option.some(state.failure) : Option.none(),
    reconciliationDeadline: "attemptedAt" in state ? Option.some(deadlineOf(state.attemptedAt)) : Option.none(),
    createdAt,
    updatedAt
  }
}

const codec = Schema.toCodecJson(ShownOperation)
const encode = Schema.encodeSync(codec)

/** The operation that an event carries; what is none dies, for we wrote it. */
export const decodeShown = Schema.decodeUnknownSync(codec)

/** The events of a change: none where readers see no difference. */
export const eventsOf = (
  before: Option.Option<OutboundOperation>,
  after: OutboundOperation
): ReadonlyArray<InboxEvent> => {
  const shown = showOperation(after)
  if (Option.exists(before, (operation) => Equal.equals(showOperation(operation), shown))) return []
  return [{ _tag: "ReplyUpdated", accountId: after.accountId, source: after.source, operation: encode(shown) }]
}
