import type * as Headers from "effect/http/Headers"

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined)

/**
 * Whether a request comes from a page of ours: it says so by `Origin`, whose host is the one that is asked or the public
 * one, or by `Sec-Fetch-Site`. Browsers set both, and no page can change them.
 */
export const isFromOurPage = (headers: Headers.Headers, publicUrl: string): boolean => {
  const { origin } = headers
  if (origin !== undefined) {
    const host = hostOf(origin)
    return host !== undefined && (host === headers["host"] || host === hostOf(publicUrl))
  }
  return headers["sec-fetch-site"] === "same-origin"
}
