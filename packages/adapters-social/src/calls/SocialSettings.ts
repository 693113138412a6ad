import type { Network } from "../names.ts"
import type * as Duration from "effect/Duration"
import type * as Redacted from "effect/Redacted"
import type { Secrets } from "../payloads/signature.ts"

/** Our app at X, as OAuth knows it. */
export interface XClient {
  readonly id: string
  /** Absent: a public client, which X knows by its id alone. */
  readonly secret?: Redacted.Redacted<string> | undefined
}

/** How the networks are reached; what is left out is as the networks have it. */
export interface SocialSettings {
  /**
   * `LOOPBOX_<NETWORK>_BASE_URL`: everything before the version; may have a path, a slash at the end is ignored.
   */
  readonly baseUrls?: Partial<Record<Network, string>> | undefined
  /** `LOOPBOX_META_API_VERSION`, of Instagram and Facebook; Threads is v1.0 and X /2. Default `v25.0`. */
  readonly metaApiVersion?: string | undefined
  /** The first signs `appsecret_proof` for graph.facebook.com; without one it is not sent. */
  readonly metaAppSecrets?: Secrets | undefined
  /** Our app at Meta: Facebook Pages, and Instagram by Facebook's login. Its secrets are `metaAppSecrets`. */
  readonly metaAppId?: string | undefined
  /** Instagram Login has an id and secrets of its own; the first secret signs people in. */
  readonly instagramAppId?: string | undefined
  readonly instagramAppSecrets?: Secrets | undefined
  readonly threadsAppId?: string | undefined
  readonly threadsAppSecrets?: Secrets | undefined
  /** `LOOPBOX_INSTAGRAM_LOGIN`: by which login Instagram accounts are connected from now on. Default `instagram`. */
  readonly instagramLogin?: "instagram" | "facebook" | undefined
  /** `LOOPBOX_<NETWORK>_AUTHORIZE_URL`: the whole address of the dialog. It wins over that of a base URL. */
  readonly authorizeUrls?: Partial<Record<Network, string>> | undefined
  /** `LOOPBOX_CONNECT_SCOPES_<NETWORK>`: what a dialog asks for, in place of what the features need. */
  readonly connectScopes?: Partial<Record<Network, ReadonlyArray<string>>> | undefined
  /** `LOOPBOX_X_CLIENT_ID` and `_SECRET`; without them X's tokens are not renewed, and its accounts not connected. */
  readonly xClient?: XClient | undefined
  /** `LOOPBOX_X_BEARER_TOKEN`: registers X's webhook and the subscriptions; without it X is polled only. */
  readonly xBearerToken?: Redacted.Redacted<string> | undefined
  /** Where X delivers to: `<public url>/v1/webhooks/x`. Without it nothing is registered there. */
  readonly xWebhookUrl?: string | undefined
  /**
   * `LOOPBOX_X_VOCABULARY`: in which of X's two vocabularies it is asked. `auto`, the default, begins with `tweet` and
   * changes when X does not understand; answers are read in both.
   */
  readonly xVocabulary?: "auto" | "tweet" | "post" | undefined
  /** The limit of one call. Default 10 seconds. */
  readonly timeLimit?: Duration.Input | undefined
}

/** The networks' own hosts. */
export const defaultBaseUrls: Record<Network, string> = {
  instagram: "https://graph.instagram.com",
  facebook: "https://graph.facebook.com",
  threads: "https://graph.threads.net",
  x: "https://api.x.com"
}

export const defaultMetaApiVersion = "v25.0"

/** Where a network is, without a slash at the end. */
export const baseUrl = (network: Network, settings: SocialSettings): string =>
  (settings.baseUrls?.[network] ?? defaultBaseUrls[network]).replace(/\/+$/, "")

/** Where a network's endpoints begin, without a slash at the end. */
export const rootUrl = (network: Network, settings: SocialSettings): string => {
  const version: Record<Network, string> = {
    instagram: settings.metaApiVersion ?? defaultMetaApiVersion,
    facebook: settings.metaApiVersion ?? defaultMetaApiVersion,
    threads: "v1.0",
    x: "2"
  }
  return `${baseUrl(network, settings)}/${version[network]}`
}
