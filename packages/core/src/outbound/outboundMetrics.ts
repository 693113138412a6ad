import * as Metric from "effect/Metric"
import type { OutboundOperation } from "./OutboundOperation.ts"
import { statusOf } from "./OutboundOperation.ts"

/**
 * Outcomes of replies by workers of this process. Attributes: `source`, `outcome` (a status, or why nothing was sent).
 */
export const outcomes = Metric.counter("loopbox_replies_total", {
  description: "Replies by what became of them",
  incremental: true
})

/** Operations whose lease was lost. */
export const lostLeases = Metric.counter("loopbox_reply_leases_lost_total", {
  description: "Leases of replies lost to another worker",
  incremental: true
})

/** Look-ups of replies with an unknown outcome. Attribute: `source`. */
export const looks = Metric.counter("loopbox_reply_looks_total", {
  description: "Looks at the networks for replies of unknown outcome",
  incremental: true
})

const outcomeOf = (operation: OutboundOperation): string =>
  "failure" in operation.state ? operation.state.failure.kind : statusOf(operation)

/** Counts the outcome of an operation. */
export const note = (operation: OutboundOperation) =>
  Metric.update(Metric.withAttributes(outcomes, { source: operation.source, outcome: outcomeOf(operation) }), 1)
