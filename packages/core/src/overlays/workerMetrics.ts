import * as Metric from "effect/Metric"
import { type JobMetrics, jobSeconds } from "../jobs/jobMetrics.ts"

/** What workers count of overlays. */
export const workerMetrics: JobMetrics = {
  claims: Metric.counter("loopbox_overlay_claims_total", {
    description: "Jobs of audio overlays claimed",
    incremental: true
  }),
  lostLeases: Metric.counter("loopbox_overlay_leases_lost_total", {
    description: "Leases of audio overlays lost to another worker or to a cancel",
    incremental: true
  }),
  ended: Metric.counter("loopbox_overlay_jobs_ended_total", {
    description: "Jobs of audio overlays ended by this process",
    incremental: true
  }),
  seconds: Metric.histogram("loopbox_overlay_job_seconds", {
    description: "Seconds from claim to end of an audio overlay",
    boundaries: jobSeconds
  })
}
