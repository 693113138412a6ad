import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { inTraceOf } from "../kernel/recordTrace.ts"
import type { EntitledCaller } from "../access/EntitledCaller.ts"
import { makeAwaitChange } from "../feed/awaitChange.ts"
import { InboxEvents } from "../feed/InboxEvents.ts"
import type { OutboundOperation } from "../outbound/OutboundOperation.ts"
import { OutboundStore } from "../outbound/OutboundStore.ts"
import { dueAt } from "../outbound/transitions.ts"

/** How long a request waits for its reply (design §6). */
const waitFor = Duration.seconds(20)

/** Whether the state may still change before `until`. */
const isOpen = (operation: OutboundOperation, until: DateTime.Utc): boolean => {
  switch (operation.state._tag) {
    case "Waiting":
    case "Sending":
    case "RemoteSucceeded":
      return true
    case "OutcomeUnknown":
      return Option.exists(dueAt(operation), (look) => DateTime.isLessThan(look, until))
    default:
      return false
  }
}

/** Makes what waits for the outcome of a reply. */
export const makeAwaitOutcome = Effect.gen(function* () {
  const store = yield* OutboundStore
  const events = yield* InboxEvents

  /** Runs `submit`, then waits until the outcome of the operation is known, or can't be known in time. */
  return Effect.fnUntraced(function* <E>(caller: EntitledCaller, submit: Effect.Effect<OutboundOperation, E>) {
    // Subscribes before the operation exists, so that no notification is missed.
    const change = yield* makeAwaitChange(events, caller.scope.workspaceId, "replies.results")
    let operation = yield* submit
    const until = DateTime.addDuration(yield* DateTime.now, waitFor)
    const follow = Effect.gen(function* () {
      while (isOpen(operation, until)) {
        yield* change
        const found = yield* store.find(caller, operation.id).pipe(
          // The reply is accepted: the store may be back before the wait ends.
          Effect.catchTag("StoreUnavailable", () => Effect.succeed(Option.some(operation)))
        )
        // The account was erased or moved to another user: returns the last known state.
        if (Option.isNone(found)) return
        operation = found.value
      }
    })
    yield* inTraceOf(operation.id, "reply.accepted")(Effect.timeoutOption(follow, waitFor))
    return operation
  }, Effect.scoped)
})
