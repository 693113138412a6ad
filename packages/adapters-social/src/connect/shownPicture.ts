import * as Option from "effect/Option"
import type { Network } from "../names.ts"
import type { SocialSettings } from "../calls/SocialSettings.ts"

const isAt = (base: string | undefined, url: string): boolean =>
  base !== undefined && URL.canParse(base) && URL.canParse(url) && new URL(base).origin === new URL(url).origin

/**
 * A picture that a page of ours may show: by https, or at the very address at which the host reaches the network, which
 * is a simulator's then. Anybody on the way could change another one.
 */
export const shownPicture = (
  link: Option.Option<string>,
  network: Network,
  { baseUrls }: SocialSettings
): Option.Option<string> => Option.filter(link, (url) => url.startsWith("https://") || isAt(baseUrls?.[network], url))
