import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import type { InboxEvent } from "../items/InboxEvent.ts"
import type { ShownOperation } from "../items/ShownOperation.ts"
import { deadlineOf, type OutboundOperation, statusOf } from "./OutboundOperation.ts"

/** The visible part of an operation. */
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

/** The events of a change; none if there is no visible difference. */
export const eventsOf = (
  before: Option.Option<OutboundOperation>,
  after: OutboundOperation
): ReadonlyArray<InboxEvent> => {
  const shown = showOperation(after)
  if (Option.exists(before, (operation) => Equal.equals(showOperation(operation), shown))) return []
  return [{ _tag: "ReplyUpdated", accountId: after.accountId, source: after.source, operation: shown }]
}
