import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import { Feature, Login } from "../networks/Feature.ts"
import { Network } from "../networks/Source.ts"

/**
 * `disconnected`: kept for 7 days with its items hidden; connecting it again within that time restores them (api.md
 * §8).
 */
export const AccountStatus = Schema.Literals(["connected", "reauth_required", "disconnected"])
export type AccountStatus = typeof AccountStatus.Type

/** A connected account of a network. Its tokens are stored separately, sealed. */
export class SocialAccount extends Schema.Class<SocialAccount>("@loopbox/core/accounts/SocialAccount")({
  id: SocialAccountId,
  workspaceId: WorkspaceId,
  network: Network,
  /** The id that the network's webhooks use. */
  networkAccountId: Schema.String,
  /**
   * Another id by which the network names it: on Instagram the id for the app of the token; conversations and webhooks
   * may have either. Equal to `networkAccountId` if there is no other; absent until it was looked up.
   */
  otherAccountId: Schema.Option(Schema.String),
  name: Schema.String,
  username: Schema.Option(Schema.String),
  avatarUrl: Schema.Option(Schema.String),
  /** The managed user that owns it now; absent: only the workspace scope sees its items. */
  externalUserId: Schema.Option(Schema.String),
  status: AccountStatus,
  /** Set while `disconnected`. */
  disconnectedAt: Schema.Option(Schema.DateTimeUtc),
  tokenExpiresAt: Schema.Option(Schema.DateTimeUtc),
  /** The permissions of the token, by the network's names. */
  permissions: Schema.Array(Schema.String),
  /** By which login it was connected; absent if an operator gave its token. */
  login: Schema.Option(Login).pipe(Schema.withConstructorDefault(Effect.succeedNone)),
  /** The account through which it is reached: the Page of an Instagram account that Facebook's login connected. */
  throughAccountId: Schema.Option(Schema.String).pipe(Schema.withConstructorDefault(Effect.succeedNone)),
  /** The ids, for our app, of the person who connected it: Meta's callbacks name only a person. */
  personIds: Schema.Array(Schema.String).pipe(Schema.withConstructorDefault(Effect.succeed([]))),
  /** What it was connected for; empty if an operator gave its token. */
  features: Schema.Array(Feature).pipe(Schema.withConstructorDefault(Effect.succeed([]))),
  /** The permissions that were asked for; those that are missing from `permissions` were declined or withdrawn. */
  requestedPermissions: Schema.Array(Schema.String).pipe(Schema.withConstructorDefault(Effect.succeed([]))),
  createdAt: Schema.DateTimeUtc
}) {}

/** Whether an account is used for a feature: what it was connected for, and all of them if an operator gave its token. */
export const isFor = ({ features }: Pick<SocialAccount, "features">, feature: Feature): boolean =>
  features.length === 0 || features.includes(feature)
