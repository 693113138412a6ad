import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { ConnectSessionId, SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import { Feature, Login } from "../networks/Feature.ts"
import { Network } from "../networks/Source.ts"

/**
 * Why a session has no account, or not all that was asked for (api-2.md §11).
 *
 * - `denied`: the person said no, or the network did in the person's name (an app in development mode)
 * - `code_expired`: the network did not accept its own code: too old, or used
 * - `provider_error`: the network answered something else, or not in time
 * - `no_pages`: the person has no Page, or allowed none
 * - `page_permission_required`: the person's role on the Pages does not allow what was asked for
 * - `account_not_eligible`: the network allows no access to this account
 * - `account_mismatch`: another account than the one that was to be connected again
 * - `account_of_other_user`: the workspace has the account already, for another managed user
 * - `missing_scopes`: connected, but not all permissions were granted
 */
export const ConnectFailureCode = Schema.Literals([
  "denied",
  "code_expired",
  "provider_error",
  "no_pages",
  "page_permission_required",
  "account_not_eligible",
  "account_mismatch",
  "account_of_other_user",
  "missing_scopes"
])
export type ConnectFailureCode = typeof ConnectFailureCode.Type

export const ConnectFailure = Schema.Struct({
  code: ConnectFailureCode,
  /** For people who look into it; without tokens and codes. */
  detail: Schema.String
})
export type ConnectFailure = typeof ConnectFailure.Type

/**
 * `pending → choosing → completed | denied | failed | expired`. A person may try a denied or failed one again by its
 * link until it expires.
 */
export const ConnectStatus = Schema.Literals(["pending", "choosing", "completed", "denied", "failed", "expired"])
export type ConnectStatus = typeof ConnectStatus.Type

/** A permission for one person to connect accounts of one network to a workspace, in a browser. */
export class ConnectSession extends Schema.Class<ConnectSession>("@loopbox/core/connecting/ConnectSession")({
  id: ConnectSessionId,
  workspaceId: WorkspaceId,
  network: Network,
  login: Login,
  /** The owner of what is connected; a managed user that need not exist yet. */
  externalUserId: Schema.Option(Schema.String),
  status: ConnectStatus,
  /** Where the browser goes at the end; a page of our own without it. */
  returnUrl: Schema.Option(Schema.String),
  features: Schema.Array(Feature),
  /** The account that is to be connected again. */
  socialAccountId: Schema.Option(SocialAccountId),
  /** What was connected. */
  accountIds: Schema.Array(SocialAccountId),
  failure: Schema.Option(ConnectFailure),
  createdAt: Schema.DateTimeUtc,
  expiresAt: Schema.DateTimeUtc,
  completedAt: Schema.Option(Schema.DateTimeUtc)
}) {}

/** How long a person has to connect (api-2.md §11). */
export const sessionLife = { minutes: 30 } as const

/** Whether its link works no longer. A completed session shows its outcome at any time. */
export const hasExpired = ({ expiresAt, status }: ConnectSession, now: DateTime.Utc): boolean =>
  status !== "completed" && DateTime.isLessThanOrEqualTo(expiresAt, now)

/** The session as it is now: one that nobody finished is `expired`. */
export const sessionAt = (session: ConnectSession, now: DateTime.Utc): ConnectSession =>
  hasExpired(session, now) && (session.status === "pending" || session.status === "choosing")
    ? new ConnectSession({ ...session, status: "expired" })
    : session
