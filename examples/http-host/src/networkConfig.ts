import type { Network, WebhookEndpoint } from "@loopbox/adapters-social/names"
import * as Config from "effect/Config"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { networkSettings as settings } from "./networkSettings.ts"

/** The identity provider of the dashboard. */
interface DashboardProvider {
  readonly url: string
  readonly issuer: string
  readonly audience: string
  readonly workspaceClaim: string
}

/** Our app at X. */
interface XClientConfig {
  readonly id: string
  /** Absent: a public client. */
  readonly secret: Option.Option<Redacted.Redacted<string>>
}

/** How the networks are reached, by which apps, and who signs dashboard tokens. */
export interface NetworkConfig {
  /** Of the networks that are not where they usually are. */
  readonly baseUrls: Partial<Record<Network, string>>
  /** Of the dialogs that are not where they usually are. */
  readonly authorizeUrls: Partial<Record<Network, string>>
  readonly metaApiVersion: string
  readonly xVocabulary: "auto" | "tweet" | "post"
  /** Instagram Login has secrets of its own. */
  readonly appSecrets: Record<WebhookEndpoint | "instagram", ReadonlyArray<Redacted.Redacted<string>>>
  readonly appIds: Record<"meta" | "instagram" | "threads", Option.Option<string>>
  readonly instagramLogin: "instagram" | "facebook"
  /** What people are asked to allow, where it isn't what the features need. */
  readonly connectScopes: Partial<Record<Network, ReadonlyArray<string>>>
  readonly verifyTokens: Record<"meta" | "threads", Option.Option<Redacted.Redacted<string>>>
  /** Without it X's tokens are not renewed, and none of its accounts can be connected. */
  readonly xClient: Option.Option<XClientConfig>
  readonly xBearerToken: Option.Option<Redacted.Redacted<string>>
  readonly dashboard: Option.Option<DashboardProvider>
}

/** Those that were set, by network. */
const given = <A>(
  configs: Record<Network, Config.Config<Option.Option<A>>>
): Config.Config<Partial<Record<Network, A>>> =>
  Config.map(Config.all(configs), (values: Record<Network, Option.Option<A>>): Partial<Record<Network, A>> =>
    Object.fromEntries(
      Object.entries(values).flatMap(([network, value]) => Option.toArray(value).map((one) => [network, one]))
    )
  )

const listed = (secrets: Option.Option<Redacted.Redacted<ReadonlyArray<string>>>) =>
  Option.toArray(secrets).flatMap((list) => Redacted.value(list).map((one) => Redacted.make(one)))

export const networkConfig = {
  baseUrls: given({
    instagram: settings.instagramBaseUrl.config,
    facebook: settings.facebookBaseUrl.config,
    threads: settings.threadsBaseUrl.config,
    x: settings.xBaseUrl.config
  }),
  authorizeUrls: given({
    instagram: settings.instagramAuthorizeUrl.config,
    facebook: settings.facebookAuthorizeUrl.config,
    threads: settings.threadsAuthorizeUrl.config,
    x: settings.xAuthorizeUrl.config
  }),
  metaApiVersion: settings.metaApiVersion.config,
  xVocabulary: settings.xVocabulary.config,
  appSecrets: Config.all({
    meta: Config.map(settings.metaAppSecrets.config, listed),
    instagram: Config.map(settings.instagramAppSecrets.config, listed),
    threads: Config.map(settings.threadsAppSecrets.config, listed),
    x: Config.map(settings.xAppSecrets.config, listed)
  }),
  appIds: Config.all({
    meta: settings.metaAppId.config,
    instagram: settings.instagramAppId.config,
    threads: settings.threadsAppId.config
  }),
  instagramLogin: settings.instagramLogin.config,
  connectScopes: given({
    instagram: settings.instagramScopes.config,
    facebook: settings.facebookScopes.config,
    threads: settings.threadsScopes.config,
    x: settings.xScopes.config
  }),
  verifyTokens: Config.all({ meta: settings.metaVerifyToken.config, threads: settings.threadsVerifyToken.config }),
  xClient: Config.all({ id: settings.xClientId.config, secret: settings.xClientSecret.config }).pipe(
    // A secret without an id is refused as a contradiction.
    Config.map(({ id, secret }) => Option.map(id, (one): XClientConfig => ({ id: one, secret })))
  ),
  xBearerToken: settings.xBearerToken.config,
  dashboard: Config.all({
    url: settings.dashboardJwksUrl.config,
    issuer: settings.dashboardIssuer.config,
    audience: settings.dashboardAudience.config,
    workspaceClaim: settings.dashboardWorkspaceClaim.config
  }).pipe(
    // One that is set in part is refused as a contradiction.
    Config.map(({ workspaceClaim, ...parts }) =>
      Option.map(Option.all(parts), (provider): DashboardProvider => ({ ...provider, workspaceClaim }))
    )
  )
}
