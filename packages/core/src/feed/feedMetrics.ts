import * as Metric from "effect/Metric"

/** For the workspaces with subscribers in this process, at the last check. */
export const behind = Metric.gauge("loopbox_feed_events_behind", {
  description: "Events that are written, and not yet read for the subscribers of this process"
})

export const followed = Metric.gauge("loopbox_feed_workspaces", {
  description: "Workspaces that are followed in this process"
})

export const keptBytes = Metric.gauge("loopbox_feed_kept_bytes", {
  description: "Estimated bytes of recent events that are kept for subscribers"
})

/** Attribute `kind`. */
export const unreadable = Metric.counter("loopbox_feed_unreadable_events_total", {
  description: "Events that this version can't read and passes over",
  incremental: true
})

/** Attribute `reason`: defect, renumbered. */
export const restarts = Metric.counter("loopbox_feed_restarts_total", {
  description: "Live feeds of a workspace that began anew: all subscribers were told to fetch again",
  incremental: true
})
