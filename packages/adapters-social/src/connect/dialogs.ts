import * as Redacted from "effect/Redacted"
import type { Network } from "../names.ts"
import { defaultMetaApiVersion } from "../calls/SocialSettings.ts"
import type { SocialSettings } from "../calls/SocialSettings.ts"

const withoutSlash = (url: string): string => url.replace(/\/+$/, "")

const dialogPath = (network: Network, settings: SocialSettings): string => {
  const paths: Record<Network, string> = {
    instagram: "/oauth/authorize",
    facebook: `/${settings.metaApiVersion ?? defaultMetaApiVersion}/dialog/oauth`,
    threads: "/oauth/authorize",
    x: "/i/oauth2/authorize"
  }
  return paths[network]
}

/** The networks' own hosts of dialogs (social-networks-write.md A0). */
const dialogHosts: Record<Network, string> = {
  instagram: "https://www.instagram.com",
  facebook: "https://www.facebook.com",
  threads: "https://threads.com",
  x: "https://x.com"
}

/** Where people allow access. A configured base URL replaces this host, too; an address of the dialog comes before both. */
const dialogUrl = (network: Network, settings: SocialSettings): string =>
  settings.authorizeUrls?.[network] ??
  `${withoutSlash(settings.baseUrls?.[network] ?? dialogHosts[network])}${dialogPath(network, settings)}`

/** Where Instagram exchanges codes: at another host than the Graph API, unless a base URL is configured. */
export const instagramCodeHost = (settings: SocialSettings): string =>
  withoutSlash(settings.baseUrls?.instagram ?? "https://api.instagram.com")

/** The whole address of a dialog; what a configured address has in its query stays, unless it is set here. */
export const dialogAddress = (
  network: Network,
  settings: SocialSettings,
  parameters: Readonly<Record<string, string>>
): Redacted.Redacted<string> => {
  const url = new URL(dialogUrl(network, settings))
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  // Not everybody reads a plus as a space (X's documents have %20); a plus itself is %2B here.
  url.search = url.search.replaceAll("+", "%20")
  return Redacted.make(url.href)
}
