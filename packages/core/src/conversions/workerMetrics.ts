import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

/** Claims by workers of this process. */
export const claims = Metric.counter("loopbox_conversion_claims_total", {
  description: "Conversion jobs claimed",
  incremental: true
})

/** Jobs whose lease was lost: another worker claimed them, or they were canceled. */
export const lostLeases = Metric.counter("loopbox_conversion_leases_lost_total", {
  description: "Leases of conversion jobs lost to another worker or to a cancel",
  incremental: true
})

/** Reports the counters with 0 from the start, since a missing metric looks like an unsupported one. */
export const begin = Effect.forEach([claims, lostLeases], (counter) => Metric.update(counter, 0), { discard: true })

/** Ended jobs. Attribute: `outcome` (succeeded, or the failure's code). */
export const ended = Metric.counter("loopbox_conversion_jobs_ended_total", {
  description: "Conversion jobs ended by this process",
  incremental: true
})

/** Seconds from claim to end. */
export const seconds = Metric.histogram("loopbox_conversion_job_seconds", {
  description: "Seconds from claim to end of a conversion job",
  boundaries: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]
})
