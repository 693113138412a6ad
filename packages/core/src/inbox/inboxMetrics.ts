import * as Metric from "effect/Metric"

/** Activities that led to no connected account; nothing is wrong with them. */
export const unrouted = Metric.counter("loopbox_inbox_unrouted_activities_total", {
  description: "Activities of accounts that no workspace has connected",
  incremental: true
})

/** Events that are not for the inbox; attribute `kind`. */
export const ignored = Metric.counter("loopbox_webhook_ignored_total", {
  description: "Events of webhooks that are not for the inbox",
  incremental: true
})

/** Deliveries ended by this process; attribute `outcome`: done, failed. */
export const deliveries = Metric.counter("loopbox_webhook_deliveries_total", {
  description: "Webhook deliveries ended",
  incremental: true
})

/** From arrival to the end of ingest, in seconds. */
export const webhookLag = Metric.histogram("loopbox_webhook_lag_seconds", {
  description: "Seconds from a delivery's arrival to the end of its ingest",
  boundaries: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 60, 600]
})

/** Profiles asked for; attribute `outcome`: known, nothing, later. */
export const profiles = Metric.counter("loopbox_inbox_profiles_total", {
  description: "Look-ups of authors",
  incremental: true
})

/** Unread counters that did not agree with their items when they were last compared; anything but 0 is a bug. */
export const drift = Metric.gauge("loopbox_inbox_counter_drift", {
  description: "Unread counters that are wrong"
})

/** Tokens of accounts that were to be renewed; attribute `outcome`: renewed, failed. */
export const renewals = Metric.counter("loopbox_account_token_renewals_total", {
  description: "Renewals of accounts' tokens",
  incremental: true
})

/** Polls of accounts that ended; attributes `network`, `outcome`: ok, or the first error's code. */
export const polls = Metric.counter("loopbox_sync_polls_total", {
  description: "Polls of accounts that ended",
  incremental: true
})
