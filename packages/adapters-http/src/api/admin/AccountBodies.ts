import type { ScopeInvalid } from "@loopbox/core/access/AccessErrors"
import { judgeExternalUserId } from "@loopbox/core/access/ScopeClaim"
import type { ManagedUser } from "@loopbox/core/workspaces/ManagedUsers"
import { AccountStatus, type SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { KnownNetwork } from "@loopbox/core/networks/known"
import { NetworkName } from "../names.ts"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Name, UserId } from "./AdminBodies.ts"
import { Time } from "../DataBody.ts"
import { TimeText } from "../inbox/InboxQuery.ts"
import { wholeNumber } from "../wholeNumber.ts"

const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** Visible text that a network gives: an id, a handle, a permission. */
const visible = (maxLength: number) =>
  Schema.String.check(
    Schema.makeFilter((text: string) =>
      text.length >= 1 && text.length <= maxLength && !/[\p{Cc}\s]/u.test(text) && text.isWellFormed()
        ? undefined
        : `must be 1 to ${maxLength} characters without spaces`
    )
  )

const WebUrl = Schema.String.check(
  Schema.makeFilter((text: string) =>
    text.length <= 2048 && /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text)
      ? undefined
      : "must be an http(s) URL of at most 2048 characters"
  )
)

/** What core says of the id of a managed user, as the end of a sentence. */
export const ownerFaultOf = ({ reason }: ScopeInvalid): string =>
  reason === "external_user_id_required" ? "must not be blank" : "may have 256 characters"

/** What is wrong with the id of a managed user, as in every request that names one. PostgreSQL keeps no U+0000. */
export const ownerFault = (given: string): string | undefined => {
  if (given.includes("\0") || !given.isWellFormed()) return "must not have the character U+0000"
  return Result.match(judgeExternalUserId(given), { onSuccess: () => undefined, onFailure: ownerFaultOf })
}

export const OwnerId = Schema.String.check(Schema.makeFilter(ownerFault))

const token = visible(8192)

const changeable = {
  name: optional(Name),
  username: optional(visible(256)).annotate({ description: "The handle; Threads and X need it." }),
  avatar_url: optional(WebUrl),
  external_user_id: optional(OwnerId).annotate({
    description: "The managed user that owns it, who exists from then on."
  }),
  access_token: optional(token),
  refresh_token: optional(token),
  token_expires_at: optional(TimeText),
  scopes: optional(Schema.Array(visible(256)).check(Schema.isMaxLength(100))),
  check: optional(Schema.Boolean).annotate({
    description:
      "`false` stores the token without asking the network whose it is. Nor is the network asked later, or are the account's webhooks subscribed, until `POST /v1/accounts/{id}/check` is called or another token is stored."
  })
}

export const NewAccountBody = Schema.Struct({
  ...changeable,
  network: KnownNetwork,
  network_account_id: visible(512).annotate({
    description: "The id that webhooks use: Instagram user_id, Page id, Threads user id, X user id."
  }),
  name: Name,
  access_token: token
}).annotate({
  examples: [
    {
      network: "instagram",
      network_account_id: "17841400000000000",
      name: "Acme",
      external_user_id: "customer_1",
      access_token: "IGAA…"
    }
  ]
})

export const AccountChangeBody = Schema.Struct({
  ...changeable,
  external_user_id: optional(OwnerId).annotate({ description: "Moves it; null takes it from its owner." })
}).annotate({ examples: [{ external_user_id: "customer_2" }] })

/** A connected account on the wire, without its tokens. */
export const AccountBody = Schema.Struct({
  id: Schema.String,
  workspace_id: Schema.String,
  network: NetworkName,
  network_account_id: Schema.String,
  name: Schema.String,
  username: Schema.NullOr(Schema.String),
  avatar_url: Schema.NullOr(Schema.String),
  external_user_id: Schema.NullOr(Schema.String),
  status: AccountStatus,
  token_expires_at: Schema.NullOr(Time),
  scopes: Schema.Array(Schema.String),
  created_at: Time
}).annotate({
  identifier: "SocialAccount",
  examples: [
    {
      id: "acc_01k9j8n0a2c4e6g8j0m2p4r6t8",
      workspace_id: "ws_01k9j8kz7c5r3n1p9h7f5d3b1a",
      network: "instagram",
      network_account_id: "17841400000000000",
      name: "Acme",
      username: "acme",
      avatar_url: null,
      external_user_id: "customer_1",
      status: "connected",
      token_expires_at: "2027-01-20T07:00:00.000Z",
      scopes: ["instagram_business_basic", "instagram_business_manage_comments"],
      created_at: "2026-11-21T06:55:00.000Z"
    }
  ]
})

export const toAccountBody = (account: SocialAccount): typeof AccountBody.Type => ({
  id: account.id,
  workspace_id: account.workspaceId,
  network: account.network,
  network_account_id: account.networkAccountId,
  name: account.name,
  username: Option.getOrNull(account.username),
  avatar_url: Option.getOrNull(account.avatarUrl),
  external_user_id: Option.getOrNull(account.externalUserId),
  status: account.status,
  token_expires_at: Option.getOrNull(Option.map(account.tokenExpiresAt, DateTime.formatIso)),
  scopes: account.permissions,
  created_at: DateTime.formatIso(account.createdAt)
})

/** Nothing is said of a managed user but that it is one. */
export const EmptyBody = Schema.Record(Schema.String, Schema.Never.annotate({ message: "is not known here" }))

export const ManagedUserBody = Schema.Struct({
  workspace_id: Schema.String,
  external_user_id: Schema.String,
  created_at: Time
}).annotate({
  identifier: "ManagedUser",
  examples: [
    {
      workspace_id: "ws_01k9j8kz7c5r3n1p9h7f5d3b1a",
      external_user_id: "customer_1",
      created_at: "2026-11-21T06:55:00.000Z"
    }
  ]
})

export const toManagedUserBody = (user: ManagedUser): typeof ManagedUserBody.Type => ({
  workspace_id: user.workspaceId,
  external_user_id: user.externalUserId,
  created_at: DateTime.formatIso(user.createdAt)
})

/** Longest life of a development token. */
export const maxTokenSeconds = 30 * 24 * 60 * 60

export const NewTokenBody = Schema.Struct({
  user_id: UserId,
  ttl_seconds: optional(wholeNumber({ minimum: 1, maximum: maxTokenSeconds })).annotate({
    description: "3600 unless said otherwise."
  }),
  external_user_id: optional(OwnerId).annotate({
    description: "Binds it to this managed user: it opens their scope and no other, and `user_id` need be no member."
  })
}).annotate({ examples: [{ user_id: "user_demo" }] })

export const TokenBody = Schema.Struct({ token: Schema.String }).annotate({
  identifier: "DashboardToken",
  examples: [{ token: "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c2VyX2RlbW8ifQ.c2lnbmF0dXJl" }]
})
