import * as Schema from "effect/Schema"
import { SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import { Network } from "../networks/Source.ts"
import { AccountHealth } from "./AccountHealth.ts"
import { AccountStatus } from "./SocialAccount.ts"

/** An account as its customer sees it (api-2.md §11). */
export const AccountView = Schema.Struct({
  id: SocialAccountId,
  workspaceId: WorkspaceId,
  network: Network,
  name: Schema.String,
  username: Schema.Option(Schema.String),
  avatarUrl: Schema.Option(Schema.String),
  /** The managed user that owns it. */
  externalUserId: Schema.Option(Schema.String),
  status: AccountStatus,
  /** The permissions of its token, by the network's names. */
  permissions: Schema.Array(Schema.String),
  /** Those that were asked for and are not among `permissions`. */
  missingPermissions: Schema.Array(Schema.String),
  tokenExpiresAt: Schema.Option(Schema.DateTimeUtc),
  /** What can be done with it: `inbox`, `reply`, `publish`, `hide` …; empty while disconnected. */
  capabilities: Schema.Array(Schema.String),
  health: AccountHealth,
  /** When it was connected first. */
  connectedAt: Schema.DateTimeUtc
})
export type AccountView = typeof AccountView.Type
