import * as Metric from "effect/Metric"

/** Ended polls of accounts. Attributes: `network`, `outcome` (ok, or the code of the first error). */
export const polls = Metric.counter("loopbox_sync_polls_total", {
  description: "Polls of accounts that ended",
  incremental: true
})

/** Missing items that were not looked up, because too much was missing from the lists. Attribute: `network`. */
export const doubted = Metric.counter("loopbox_sync_doubted_items_total", {
  description: "Items missing from lists that are not believed",
  incremental: true
})
