import type * as Headers from "effect/http/Headers"

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined)

/**
 * Whether a request comes from a page of ours: it says so by `Origin`, whose host is the one that is asked or the public
 * one, or by `Sec-Fetch-Site`. Browsers set both, and no page can change them: where they contradict each other, something
 * else wrote them. Of a socket only the origin counts, for browsers differ in what they say of its site.
 */
export const isFromOurPage = (headers: Headers.Headers, publicUrl: string): boolean => {
  const { origin, "sec-fetch-site": site, upgrade } = headers
  if (upgrade === undefined && (site === "cross-site" || site === "same-site")) return false
  if (origin !== undefined) {
    const host = hostOf(origin)
    return host !== undefined && (host === headers["host"] || host === hostOf(publicUrl))
  }
  return site === "same-origin"
}
