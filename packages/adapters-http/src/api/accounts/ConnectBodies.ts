import { ConnectFailureCode, type ConnectSession, ConnectStatus } from "@loopbox/core/connecting/ConnectSession"
import type { ReturnUrlReason } from "@loopbox/core/connecting/ConnectErrors"
import { judgeReturnUrl } from "@loopbox/core/connecting/returnAddress"
import { Feature } from "@loopbox/core/networks/Feature"
import { KnownNetwork } from "@loopbox/core/networks/known"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { OwnerId } from "../admin/AccountBodies.ts"
import { Time } from "../DataBody.ts"
import { NetworkName } from "../names.ts"
import { ConnectedAccountBody } from "./ConnectedAccountBody.ts"

const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** What is wrong with a return address, as the end of a sentence. */
export const returnUrlFaults: Record<ReturnUrlReason, string> = {
  malformed: "must be an absolute URL without spaces, backslashes and control characters",
  too_long: "may have 2048 characters",
  scheme: "must be https, or http on a loopback host",
  user_info: "must not have a user name or a password",
  host: "must name a host that there can be",
  port: "must name a port from 1 to 65535, or none",
  fragment: "must not have a fragment (#)"
}

const ReturnUrl = Schema.String.check(
  Schema.makeFilter((given: string) =>
    Result.match(judgeReturnUrl(given), {
      onSuccess: () => undefined,
      onFailure: ({ reason }) => returnUrlFaults[reason]
    })
  )
).annotate({
  description:
    "Where the browser goes at the end, with `connect_session`, `connect_status` and `reason` added: https, or http on a " +
    "loopback host. Any host is taken: give API keys to nobody who may not choose it."
})

const Features = Schema.Array(Feature)
  .check(Schema.makeFilter((given: ReadonlyArray<string>) => (given.length > 0 ? undefined : "must name a feature")))
  .annotate({
    description:
      "What the account is connected for; all unless said otherwise. Without `inbox` it is neither polled nor subscribed, " +
      "until it is connected for that, too."
  })

export const NewConnectSessionBody = Schema.Struct({
  network: KnownNetwork,
  external_user_id: optional(OwnerId).annotate({
    description: "The managed user who will own the account, and who exists from then on."
  }),
  return_url: optional(ReturnUrl),
  features: optional(Features),
  social_account_id: optional(Schema.String).annotate({ description: "The account to connect again." })
}).annotate({
  examples: [{ network: "instagram", external_user_id: "customer_1", return_url: "https://app.example/connected" }]
})

export const ReconnectBody = Schema.Struct({ return_url: optional(ReturnUrl) }).annotate({
  examples: [{ return_url: "https://app.example/connected" }]
})

/** A session in which a person connects accounts (api-2.md §11). */
export const ConnectSessionBody = Schema.Struct({
  id: Schema.String,
  network: NetworkName,
  external_user_id: Schema.NullOr(Schema.String),
  status: ConnectStatus,
  url: Schema.String.annotate({
    description:
      "For the person's browser. Whoever has it may connect an account in this session: show it to nobody else."
  }),
  return_url: Schema.NullOr(Schema.String),
  features: Schema.Array(Feature),
  social_account_id: Schema.NullOr(Schema.String),
  accounts: Schema.Array(ConnectedAccountBody).annotate({ description: "What was connected." }),
  error: Schema.NullOr(
    Schema.Struct({
      code: ConnectFailureCode,
      message: Schema.String.annotate({ description: "For a person: what happened, and what to do." })
    })
  ).annotate({ description: "`missing_scopes` is told of a completed session, too." }),
  created_at: Time,
  expires_at: Time,
  completed_at: Schema.NullOr(Time)
}).annotate({
  identifier: "ConnectSession",
  examples: [
    {
      id: "con_01k9j8p2m4q6s8v0x2z4b6d8f0",
      network: "instagram",
      external_user_id: "customer_1",
      status: "pending",
      url: "https://api.example/connect/x2mF0b1vJ8QkT5nWc7ZrYh4LpD9sGa6U",
      return_url: "https://app.example/connected",
      features: ["inbox", "publish", "moderate"],
      social_account_id: null,
      accounts: [],
      error: null,
      created_at: "2026-11-21T07:00:00.000Z",
      expires_at: "2026-11-21T07:30:00.000Z",
      completed_at: null
    }
  ]
})

/** What a session's answer holds beside the session itself. */
interface Beside {
  readonly url: Redacted.Redacted<string>
  readonly accounts: ReadonlyArray<ConnectedAccountBody>
  readonly sentenceOf: (code: ConnectFailureCode) => string
}

export const toConnectSessionBody = (
  session: ConnectSession,
  { accounts, sentenceOf, url }: Beside
): typeof ConnectSessionBody.Type => ({
  id: session.id,
  network: session.network,
  external_user_id: Option.getOrNull(session.externalUserId),
  status: session.status,
  url: Redacted.value(url),
  return_url: Option.getOrNull(session.returnUrl),
  features: session.features,
  social_account_id: Option.getOrNull(session.socialAccountId),
  accounts,
  error: Option.getOrNull(Option.map(session.failure, ({ code }) => ({ code, message: sentenceOf(code) }))),
  created_at: DateTime.formatIso(session.createdAt),
  expires_at: DateTime.formatIso(session.expiresAt),
  completed_at: Option.getOrNull(Option.map(session.completedAt, DateTime.formatIso))
})
