import * as Schema from "effect/Schema"
import { SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"

/** The networks, as in connectors: the two slices stand beside each other. */
export const Network = Schema.Literals(["instagram", "facebook", "threads", "x"])
export type Network = typeof Network.Type

/** `disconnected`: kept for 7 days with its items hidden, so that connecting it again revives it (api.md §8). */
export const AccountStatus = Schema.Literals(["connected", "reauth_required", "disconnected"])
export type AccountStatus = typeof AccountStatus.Type

/** An account of a network that a workspace has connected; its tokens are elsewhere, sealed. */
export class SocialAccount extends Schema.Class<SocialAccount>("@loopbox/core/accounts/SocialAccount")({
  id: SocialAccountId,
  workspaceId: WorkspaceId,
  network: Network,
  /** The id that the network's webhooks use. */
  networkAccountId: Schema.String,
  name: Schema.String,
  username: Schema.Option(Schema.String),
  avatarUrl: Schema.Option(Schema.String),
  /** The managed user that owns it now; absent: only the workspace scope sees its items. */
  externalUserId: Schema.Option(Schema.String),
  status: AccountStatus,
  /** Set while `disconnected`. */
  disconnectedAt: Schema.Option(Schema.DateTimeUtc),
  tokenExpiresAt: Schema.Option(Schema.DateTimeUtc),
  /** What the token may do, as the network names it. */
  permissions: Schema.Array(Schema.String),
  createdAt: Schema.DateTimeUtc
}) {}
