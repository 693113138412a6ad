import type { Network } from "../names.ts"
import type * as Duration from "effect/Duration"
import type * as Redacted from "effect/Redacted"
import type { Secrets } from "../payloads/signature.ts"

/** Our app at X, as OAuth knows it. */
export interface XClient {
  readonly id: string
  readonly secret: Redacted.Redacted<string>
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
  /** `LOOPBOX_X_CLIENT_ID` and `_SECRET`; without them X's tokens are not renewed. */
  readonly xClient?: XClient | undefined
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
