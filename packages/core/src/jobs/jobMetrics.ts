import * as Metric from "effect/Metric"

type Counter = Metric.Metric<number, unknown>

/** What a worker counts; each kind of job has metrics of its own. */
export interface JobMetrics {
  /** Claims by workers of this process. */
  readonly claims: Counter
  /** Jobs whose lease was lost: another worker claimed them, or they were canceled. */
  readonly lostLeases: Counter
  /** Ended jobs. Attribute: `outcome` (succeeded, or the failure's code). */
  readonly ended: Counter
  /** Seconds from claim to end. */
  readonly seconds: Counter
}

/** Bounds of the histogram of seconds from claim to end. */
export const jobSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]

/** Attribute: `kind` (of the jobs). One for both kinds, so that one alarm tells of either. */
export const encoderWorks = Metric.gauge("loopbox_encoder_works", {
  description: "1, or 0 while the encoder of this process failed its last trial, or none was found"
})
