import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import {
  type AccountFacts,
  CheckFacts,
  type KnownAccount,
  ToldHealth,
  unchecked
} from "@loopbox/core/health/AccountFacts"
import { accountColumnsOf, AccountRow, toAccount } from "./AccountRow.ts"
import { Instant, optional } from "./rows.ts"

/** How each is kept in a column of JSON. */
export const StoredChecks = Schema.toCodecJson(CheckFacts)
export const StoredTold = Schema.toCodecJson(ToldHealth)

const StoredPollFailure = Schema.toCodecJson(
  Schema.Struct({
    code: Schema.Literals(["rate_limited", "permission_missing", "network_unavailable", "plan_excludes"]),
    retryAt: Schema.Option(Schema.DateTimeUtc)
  })
)
export const StoredPollFailures = Schema.Array(StoredPollFailure)

/** An account `a` with what is known of it (`h`), and when its token is renewed (`c`). */
export const KnownRow = Schema.Struct({
  ...AccountRow.fields,
  checks: optional(StoredChecks),
  last_webhook_at: optional(Instant),
  found_at: Schema.NullOr(Schema.Array(Instant)),
  last_poll_at: optional(Instant),
  poll_failures: optional(StoredPollFailures),
  told: optional(StoredTold),
  renew_at: optional(Instant)
})

export const knownColumns = [
  accountColumnsOf("a"),
  ...["checks", "last_webhook_at", "found_at", "last_poll_at", "poll_failures", "told"].map((name) => `h.${name}`),
  "c.renew_at"
].join(", ")

/** What `knownColumns` are of. An account that an earlier version connected may have no row of its health yet. */
export const knownTables = `social_accounts a
  LEFT JOIN account_health h ON h.workspace_id = a.workspace_id AND h.account_id = a.id
  LEFT JOIN account_credentials c ON c.workspace_id = a.workspace_id AND c.account_id = a.id`

export const toKnown = (row: typeof KnownRow.Type): KnownAccount => {
  const facts: AccountFacts = {
    checks: Option.getOrElse(row.checks, () => unchecked),
    lastWebhookAt: row.last_webhook_at,
    foundAt: row.found_at ?? [],
    lastPollAt: row.last_poll_at,
    pollFailures: Option.getOrElse(row.poll_failures, () => []),
    renewAt: row.renew_at,
    told: row.told
  }
  return { account: toAccount(row), facts }
}
