import * as Metric from "effect/Metric"

/** Attempts of this process. Attribute: `outcome` (delivered, or the status or error of the answer). */
export const attempts = Metric.counter("loopbox_endpoint_attempts_total", {
  description: "Attempts to deliver events to webhook endpoints",
  incremental: true
})

/** Seconds from an event's commit to its first attempt. */
export const lag = Metric.histogram("loopbox_endpoint_lag_seconds", {
  description: "Seconds from writing a delivery to its first attempt",
  boundaries: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 60, 600]
})

const ofOutcome = new Map<string, Metric.Metric<number, unknown>>()

/** Attempts with an outcome; of statuses and error codes there are few. */
export const attemptsOf = (outcome: string) => {
  const known = ofOutcome.get(outcome) ?? Metric.withAttributes(attempts, { outcome })
  ofOutcome.set(outcome, known)
  return known
}
