import * as HttpServerResponse from "effect/http/HttpServerResponse"

const exposed = [
  "Accept-Ranges",
  "Age",
  "Content-Disposition",
  "Content-Range",
  "ETag",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "Retry-After",
  "X-Cache",
  "X-Operation-Id",
  "X-Request-Id"
].join(", ")

const taken = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "If-Match",
  "If-None-Match",
  "If-Range",
  "Range",
  "X-Filename",
  "X-Request-Id",
  "X-Workspace-Id"
].join(", ")

/** Whether pages may call a path: the API, but not its administration, and nothing that networks call. */
export const isForPages = (path: string): boolean =>
  path.startsWith("/v1/") && !/^\/v1\/(?:admin|webhooks)(?:\/|$)/.test(path)

/** Headers for a page of an allowed origin; none for everybody else, whom the browser then stops. */
export const corsHeaders = (
  origins: ReadonlySet<string>,
  origin: string | undefined,
  more: ReadonlyArray<string> = []
): Record<string, string> => {
  if (origins.size === 0) return {}
  if (origin === undefined || !origins.has(origin)) return { vary: "Origin" }
  const names = [exposed, ...more].join(", ")
  return { vary: "Origin", "access-control-allow-origin": origin, "access-control-expose-headers": names }
}

/**
 * The answer to a browser that asks before it calls. It names every method, whatever the path takes: a page that errs is to
 * read the 404 or 405 of the call itself, and of a call that a browser has stopped it reads nothing.
 */
export const preflight = (): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
      "access-control-allow-headers": taken,
      "access-control-max-age": "600"
    }
  })
