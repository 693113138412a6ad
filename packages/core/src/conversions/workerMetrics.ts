import * as Metric from "effect/Metric"
import { type JobMetrics, jobSeconds } from "../jobs/jobMetrics.ts"

/** What workers count of conversions. */
export const workerMetrics: JobMetrics = {
  claims: Metric.counter("loopbox_conversion_claims_total", {
    description: "Conversion jobs claimed",
    incremental: true
  }),
  lostLeases: Metric.counter("loopbox_conversion_leases_lost_total", {
    description: "Leases of conversion jobs lost to another worker or to a cancel",
    incremental: true
  }),
  ended: Metric.counter("loopbox_conversion_jobs_ended_total", {
    description: "Conversion jobs ended by this process",
    incremental: true
  }),
  seconds: Metric.histogram("loopbox_conversion_job_seconds", {
    description: "Seconds from claim to end of a conversion job",
    boundaries: jobSeconds
  })
}
