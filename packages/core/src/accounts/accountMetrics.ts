import * as Metric from "effect/Metric"

/** Attempts to renew an account's token. Attribute: `outcome` (renewed, failed). */
export const renewals = Metric.counter("loopbox_account_token_renewals_total", {
  description: "Renewals of accounts' tokens",
  incremental: true
})
