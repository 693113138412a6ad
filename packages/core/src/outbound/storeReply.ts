import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { toPosted } from "./AcceptedReply.ts"
import type { OutboundOperation } from "./OutboundOperation.ts"
import type { OperationClaim } from "./OutboundStore.ts"
import * as outboundMetrics from "./outboundMetrics.ts"
import type { ReplyPorts } from "./replyPorts.ts"
import { completed, storeLater } from "./transitions.ts"

const handBack = () => false

/** Makes an accepted reply an item, by the way of everything that networks say, and completes its operation. */
export const storeReply = Effect.fnUntraced(function* (
  ports: ReplyPorts,
  claim: OperationClaim,
  operation: OutboundOperation
) {
  if (operation.state._tag !== "RemoteSucceeded") return
  const { accepted } = operation.state
  const stored = Effect.gen(function* () {
    const posted = toPosted(accepted, operation)
    const report = yield* ports.ingest.ingest({
      activities: [posted],
      deliveryIds: [],
      isLastTry: true
    })
    if (report.failures.length > 0) return Option.none()
    return Option.some(yield* ports.store.findItemId(operation, accepted.externalId))
  })
  const outcome = yield* stored.pipe(
    Effect.catchTag("StoreUnavailable", (error) =>
      Effect.as(Effect.logWarning("a reply that was sent is not stored yet", error), Option.none())
    )
  )
  const settled = yield* ports.change(
    claim,
    (current, now) =>
      Option.match(outcome, {
        onNone: () => storeLater(current, now),
        onSome: (itemId) => completed(current, { externalId: accepted.externalId, itemId }, now)
      }),
    handBack
  )
  yield* outboundMetrics.note(settled)
})
