import * as Metric from "effect/Metric"

/** Items that were new. Attribute: `by` (webhook, poll). */
export const items = Metric.counter("loopbox_inbox_items_total", {
  description: "Items that came in, by what brought them first",
  incremental: true
})

/** Activities without a connected account; this is not an error. */
export const unrouted = Metric.counter("loopbox_inbox_unrouted_activities_total", {
  description: "Activities of accounts that no workspace has connected",
  incremental: true
})

/** Events that are not for the inbox. Attribute: `kind`. */
export const ignored = Metric.counter("loopbox_webhook_ignored_total", {
  description: "Events of webhooks that are not for the inbox",
  incremental: true
})

/** Profile look-ups. Attribute: `outcome` (known, nothing, later). */
export const profiles = Metric.counter("loopbox_inbox_profiles_total", {
  description: "Look-ups of authors",
  incremental: true
})

/** Wrong unread counters at the last comparison; anything but 0 is a bug. */
export const drift = Metric.gauge("loopbox_inbox_counter_drift", {
  description: "Unread counters that are wrong"
})
