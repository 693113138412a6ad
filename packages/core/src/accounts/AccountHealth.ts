import * as Schema from "effect/Schema"

/**
 * What is wrong with an account (api-2.md §11).
 *
 * - `reconnect_required`: its token is dead, or of another account
 * - `missing_scopes`: permissions that were asked for were declined or withdrawn
 * - `webhook_not_subscribed`: the network has no subscription of its webhooks, and making one failed
 * - `webhook_quiet`: polls found what no webhook brought
 * - `rate_limited`, `permission_missing`, `network_unavailable`: why its last poll or check read not everything
 * - `plan_excludes`: the workspace's plan does not include its network
 * - `expires_soon`: its token ends within 7 days, and no machine can renew it
 */
export const ProblemCode = Schema.Literals([
  "reconnect_required",
  "missing_scopes",
  "webhook_not_subscribed",
  "webhook_quiet",
  "rate_limited",
  "permission_missing",
  "network_unavailable",
  "plan_excludes",
  "expires_soon"
])
export type ProblemCode = typeof ProblemCode.Type

export const AccountProblem = Schema.Struct({
  code: ProblemCode,
  /** When it was seen first; kept while it lasts. */
  since: Schema.DateTimeUtc,
  /** When it is tried again by machine, if it is. */
  retryAt: Schema.Option(Schema.DateTimeUtc),
  /** Only of `missing_scopes`, and of `permission_missing` if the network names them. */
  missingPermissions: Schema.Array(Schema.String),
  /** The network's own code, if it sent one. */
  networkCode: Schema.Option(Schema.String)
})
export type AccountProblem = typeof AccountProblem.Type

export const HealthStatus = Schema.Literals(["ok", "degraded", "broken"])
export type HealthStatus = typeof HealthStatus.Type

/** How well an account is. `broken`: nothing arrives and nothing can be sent; `degraded`: something is wrong. */
export const AccountHealth = Schema.Struct({
  status: HealthStatus,
  /** One of each code at most, in the order of `ProblemCode`. */
  problems: Schema.Array(AccountProblem),
  lastWebhookAt: Schema.Option(Schema.DateTimeUtc),
  lastPollAt: Schema.Option(Schema.DateTimeUtc)
})
export type AccountHealth = typeof AccountHealth.Type
