import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type AcceptedReply, toPosted } from "../outbound/AcceptedReply.ts"
import { type OutboundOperation, sentSourceOf } from "../outbound/OutboundOperation.ts"
import type { OperationClaim } from "../outbound/OutboundStore.ts"
import * as outboundMetrics from "../outbound/outboundMetrics.ts"
import type { ReplyPorts } from "./replyPorts.ts"
import { completed, storeLater } from "../outbound/transitions.ts"

const handBack = () => false

/** The route of the reply. If it was found among stored items, which have no route, that of its own account. */
const routeOf = Effect.fnUntraced(function* (
  { accounts }: ReplyPorts,
  { accountId, workspaceId }: OutboundOperation,
  { route }: AcceptedReply
) {
  if (Option.isSome(route.accountId) || Option.isSome(route.username)) return route
  const account = yield* accounts.find(workspaceId, accountId)
  return { ...route, accountId: Option.map(account, ({ networkAccountId }) => networkAccountId) }
})

/** Ingests an accepted reply like any activity, and completes its operation. */
export const storeReply = Effect.fnUntraced(function* (
  ports: ReplyPorts,
  claim: OperationClaim,
  operation: OutboundOperation
) {
  if (operation.state._tag !== "RemoteSucceeded") return
  const { accepted } = operation.state
  const stored = Effect.gen(function* () {
    const report = yield* ports.ingest.ingest({
      activities: [toPosted({ ...accepted, route: yield* routeOf(ports, operation, accepted) }, operation)],
      deliveryIds: [],
      isLastTry: true
    })
    if (report.failures.length > 0) return Option.none()
    if (Option.isSome(operation.privately)) yield* ports.markAnswered(operation)
    const { accountId, workspaceId } = operation
    const source = sentSourceOf(operation)
    return Option.some(
      yield* ports.items.findItemId(workspaceId, accountId, { source, externalId: accepted.externalId })
    )
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
