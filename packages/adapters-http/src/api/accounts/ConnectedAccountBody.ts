import { HealthStatus, type AccountProblem, ProblemCode } from "@loopbox/core/accounts/AccountHealth"
import type { AccountView } from "@loopbox/core/accounts/AccountView"
import { AccountStatus } from "@loopbox/core/accounts/SocialAccount"
import { explainProblem } from "@loopbox/core/health/explainProblem"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Time } from "../DataBody.ts"
import { NetworkName, networkTitle } from "../names.ts"

const text = Schema.NullOr(Schema.String)
const time = Schema.NullOr(Time)

const ProblemBody = Schema.Struct({
  code: ProblemCode,
  message: Schema.String.annotate({ description: "What is wrong, for a person." }),
  remedy: Schema.String.annotate({ description: "What a person can do about it." }),
  since: Time,
  retry_at: time.annotate({ description: "When it is tried again by machine." })
})

/** A connected account as its customer sees it, without tokens (api-2.md §11). */
export const ConnectedAccountBody = Schema.Struct({
  id: Schema.String,
  network: NetworkName,
  name: Schema.String,
  username: text,
  avatar_url: text,
  external_user_id: text,
  status: AccountStatus,
  scopes: Schema.Array(Schema.String).annotate({ description: "What was granted, by the network's names." }),
  missing_scopes: Schema.Array(Schema.String).annotate({ description: "What was asked for and not granted." }),
  token_expires_at: time,
  capabilities: Schema.Array(Schema.String).annotate({
    description: "What can be done with it: `inbox`, `reply`, `publish`, `hide` …; take any name."
  }),
  health: Schema.Struct({
    status: HealthStatus,
    problems: Schema.Array(ProblemBody),
    last_webhook_at: time,
    last_poll_at: time
  }),
  connected_at: Time
}).annotate({
  identifier: "ConnectedAccount",
  examples: [
    {
      id: "acc_01k9j8n0a2c4e6g8j0m2p4r6t8",
      network: "instagram",
      name: "Acme",
      username: "acme",
      avatar_url: null,
      external_user_id: "customer_1",
      status: "connected",
      scopes: ["instagram_business_basic", "instagram_business_manage_comments"],
      missing_scopes: [],
      token_expires_at: "2027-01-20T07:00:00.000Z",
      capabilities: ["inbox", "reply"],
      health: {
        status: "ok",
        problems: [],
        last_webhook_at: "2026-11-21T06:59:00.000Z",
        last_poll_at: "2026-11-21T06:58:00.000Z"
      },
      connected_at: "2026-11-21T06:55:00.000Z"
    }
  ]
})
export type ConnectedAccountBody = typeof ConnectedAccountBody.Type

const optionalTime = (at: Option.Option<DateTime.Utc>) => Option.getOrNull(Option.map(at, DateTime.formatIso))

const toProblemBody = (problem: AccountProblem, network: string): typeof ProblemBody.Type => ({
  code: problem.code,
  ...explainProblem(problem, networkTitle(network)),
  since: DateTime.formatIso(problem.since),
  retry_at: optionalTime(problem.retryAt)
})

export const toConnectedAccountBody = (account: AccountView): ConnectedAccountBody => ({
  id: account.id,
  network: account.network,
  name: account.name,
  username: Option.getOrNull(account.username),
  avatar_url: Option.getOrNull(account.avatarUrl),
  external_user_id: Option.getOrNull(account.externalUserId),
  status: account.status,
  scopes: account.permissions,
  missing_scopes: account.missingPermissions,
  token_expires_at: optionalTime(account.tokenExpiresAt),
  capabilities: account.capabilities,
  health: {
    status: account.health.status,
    problems: account.health.problems.map((problem) => toProblemBody(problem, account.network)),
    last_webhook_at: optionalTime(account.health.lastWebhookAt),
    last_poll_at: optionalTime(account.health.lastPollAt)
  },
  connected_at: DateTime.formatIso(account.connectedAt)
})
