import * as Metric from "effect/Metric"

/** Ended checks of accounts. Attributes: `network`, `outcome` (ok, or the problem of which the check failed). */
export const checks = Metric.counter("loopbox_account_checks_total", {
  description: "Checks of accounts that ended",
  incremental: true
})
