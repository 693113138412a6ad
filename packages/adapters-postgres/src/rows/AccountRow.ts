import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Feature, Login } from "@loopbox/core/networks/Feature"
import { Network } from "@loopbox/core/networks/Source"
import { AccountStatus, SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { at, Instant, optional } from "./rows.ts"
import { storable, storableOrNull, toJson } from "./text.ts"

export const AccountRow = Schema.Struct({
  workspace_id: WorkspaceId,
  id: SocialAccountId,
  network: Network,
  network_account_id: Schema.String,
  other_account_id: optional(Schema.String),
  name: Schema.String,
  username: optional(Schema.String),
  avatar_url: optional(Schema.String),
  external_user_id: optional(Schema.String),
  status: AccountStatus,
  disconnected_at: optional(Instant),
  token_expires_at: optional(Instant),
  permissions: Schema.Array(Schema.String),
  login: optional(Login),
  through_account_id: optional(Schema.String),
  person_ids: Schema.Array(Schema.String),
  // A newer version may know others.
  features: Schema.Array(Schema.String),
  requested_permissions: Schema.Array(Schema.String),
  created_at: Instant
})

const columns = Object.keys(AccountRow.fields)

export const accountColumns = columns.join(", ")
export const accountColumnsOf = (table: string): string => columns.map((name) => `${table}.${name}`).join(", ")

export const toAccount = (row: typeof AccountRow.Type): SocialAccount =>
  new SocialAccount({
    id: row.id,
    workspaceId: row.workspace_id,
    network: row.network,
    networkAccountId: row.network_account_id,
    otherAccountId: row.other_account_id,
    name: row.name,
    username: row.username,
    avatarUrl: row.avatar_url,
    externalUserId: row.external_user_id,
    status: row.status,
    disconnectedAt: row.disconnected_at,
    tokenExpiresAt: row.token_expires_at,
    permissions: row.permissions,
    login: row.login,
    throughAccountId: row.through_account_id,
    personIds: row.person_ids,
    features: row.features.filter(isFeature),
    requestedPermissions: row.requested_permissions,
    createdAt: row.created_at
  })

const isFeature = Schema.is(Feature)

/** What an account is stored as, but for its names: they never change. */
export const toAccountColumns = (account: SocialAccount) => ({
  network_account_id: storable(account.networkAccountId),
  other_account_id: storableOrNull(account.otherAccountId),
  name: storable(account.name),
  username: storableOrNull(account.username),
  avatar_url: storableOrNull(account.avatarUrl),
  external_user_id: storableOrNull(account.externalUserId),
  status: account.status,
  disconnected_at: Option.getOrNull(Option.map(account.disconnectedAt, at)),
  token_expires_at: Option.getOrNull(Option.map(account.tokenExpiresAt, at)),
  permissions: toJson(account.permissions),
  login: Option.getOrNull(account.login),
  through_account_id: storableOrNull(account.throughAccountId),
  person_ids: toJson(account.personIds.map(storable)),
  features: toJson(account.features),
  requested_permissions: toJson(account.requestedPermissions.map(storable)),
  created_at: at(account.createdAt)
})
