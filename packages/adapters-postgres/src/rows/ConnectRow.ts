import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { AttemptProgress, type ConnectAttempt } from "@loopbox/core/connecting/ConnectAttempt"
import { ConnectFailure, ConnectSession, ConnectStatus } from "@loopbox/core/connecting/ConnectSession"
import type { KeptSession } from "@loopbox/core/connecting/ConnectSessionStore"
import { ConnectSessionId, SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { Feature, Login } from "@loopbox/core/networks/Feature"
import { Network } from "@loopbox/core/networks/Source"
import { at, Instant, optional } from "./rows.ts"
import { storableOrNull, toJson } from "./text.ts"

export const sessionColumns = `workspace_id, id, encode(link_digest, 'hex') AS link_digest, sealed_link, network, login,
  external_user_id, status, return_url, features, social_account_id, account_ids, failure, created_at, expires_at,
  completed_at`

export const SessionRow = Schema.Struct({
  workspace_id: WorkspaceId,
  id: ConnectSessionId,
  link_digest: Schema.String,
  sealed_link: Schema.String,
  network: Network,
  login: Login,
  external_user_id: optional(Schema.String),
  status: ConnectStatus,
  return_url: optional(Schema.String),
  features: Schema.Array(Feature),
  social_account_id: optional(SocialAccountId),
  account_ids: Schema.Array(SocialAccountId),
  failure: optional(ConnectFailure),
  created_at: Instant,
  expires_at: Instant,
  completed_at: optional(Instant)
})

export const toKeptSession = (row: typeof SessionRow.Type): KeptSession => ({
  linkDigest: row.link_digest,
  sealedLink: row.sealed_link,
  session: new ConnectSession({
    id: row.id,
    workspaceId: row.workspace_id,
    network: row.network,
    login: row.login,
    externalUserId: row.external_user_id,
    status: row.status,
    returnUrl: row.return_url,
    features: row.features,
    socialAccountId: row.social_account_id,
    accountIds: row.account_ids,
    failure: row.failure,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    completedAt: row.completed_at
  })
})

/** What changes of a session. */
export const toSessionChange = (session: ConnectSession) => ({
  status: session.status,
  account_ids: toJson(session.accountIds),
  failure: Option.getOrNull(Option.map(session.failure, toJson)),
  completed_at: Option.getOrNull(Option.map(session.completedAt, at))
})

/** What never changes of a session, but for the digest of its link. */
export const toSessionColumns = (session: ConnectSession) => ({
  workspace_id: session.workspaceId,
  id: session.id,
  network: session.network,
  login: session.login,
  external_user_id: storableOrNull(session.externalUserId),
  return_url: Option.getOrNull(session.returnUrl),
  features: toJson(session.features),
  social_account_id: Option.getOrNull(session.socialAccountId),
  created_at: at(session.createdAt),
  expires_at: at(session.expiresAt)
})

/** Progress as it is kept. */
const StoredProgress = Schema.toCodecJson(AttemptProgress)
export const encodeProgress = Schema.encodeEffect(StoredProgress)

export const attemptColumns = `workspace_id, session_id, number, encode(state_digest, 'hex') AS state_digest,
  encode(cookie_digest, 'hex') AS cookie_digest, redirect_uri, sealed_verifier, progress, created_at`

export const AttemptRow = Schema.Struct({
  workspace_id: WorkspaceId,
  session_id: ConnectSessionId,
  number: Schema.Int,
  state_digest: Schema.String,
  cookie_digest: Schema.String,
  redirect_uri: Schema.String,
  sealed_verifier: Schema.String,
  progress: StoredProgress,
  created_at: Instant
})

export const toAttempt = (row: typeof AttemptRow.Type): ConnectAttempt => ({
  workspaceId: row.workspace_id,
  sessionId: row.session_id,
  stateDigest: row.state_digest,
  cookieDigest: row.cookie_digest,
  redirectUri: row.redirect_uri,
  sealedVerifier: row.sealed_verifier,
  progress: row.progress,
  createdAt: row.created_at
})
