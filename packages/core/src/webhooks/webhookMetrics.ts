import * as Metric from "effect/Metric"

/** Deliveries ended by this process. Attribute: `outcome` (done, failed). */
export const deliveries = Metric.counter("loopbox_webhook_deliveries_total", {
  description: "Webhook deliveries ended",
  incremental: true
})

/** Seconds from arrival to the end of ingest. */
export const webhookLag = Metric.histogram("loopbox_webhook_lag_seconds", {
  description: "Seconds from a delivery's arrival to the end of its ingest",
  boundaries: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 60, 600]
})
