import type { Redirect } from "@loopbox/core/connecting/ConnectSessions"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { sessionLife } from "@loopbox/core/connecting/ConnectSession"
import { HttpSettings } from "../system/HttpSettings.ts"

/** Where the pages lie, and how their browsers are known again. */
export interface BrowserPlace {
  readonly publicUrl: string
  /** The path of the pages; a public URL may have a path of its own. */
  readonly path: string
  readonly isSecure: boolean
  /** How the names of the cookies begin; the key of an attempt follows. */
  readonly cookiePrefix: string
}

/** Browsers take a cookie of the first name only from https. */
const cookiePrefixes = { secure: "__Secure-loopbox_connect_", plain: "loopbox_connect_" }

/** Attempts of one browser whose cookies are kept, whatever session they are of. */
const mostCookies = 8

/** From the public URL, which may be known only once the port is bound. */
export const browserPlace = Effect.gen(function* () {
  const { publicUrl } = yield* HttpSettings
  return Effect.map(publicUrl, (base): BrowserPlace => {
    const { pathname, protocol } = new URL(base)
    const isSecure = protocol === "https:"
    return {
      publicUrl: base,
      path: `${pathname.replace(/\/$/, "")}/connect`,
      isSecure,
      cookiePrefix: isSecure ? cookiePrefixes.secure : cookiePrefixes.plain
    }
  })
})

/** The names of this browser's cookies, the oldest first: so browsers send cookies of one path. */
const namesOf = ({ cookies }: HttpServerRequest.HttpServerRequest, { cookiePrefix }: BrowserPlace) =>
  Object.keys(cookies)
    .filter((name) => name.startsWith(cookiePrefix))
    .slice(-2 * mostCookies)

/** The cookies that bound this browser to attempts. */
export const cookiesOf = (
  request: HttpServerRequest.HttpServerRequest,
  place: BrowserPlace
): ReadonlyArray<Redacted.Redacted<string>> =>
  namesOf(request, place).map((name) => Redacted.make(request.cookies[name] ?? ""))

/** The cookie that bound this browser to the attempt of a key. */
export const cookieOf = (
  request: HttpServerRequest.HttpServerRequest,
  { cookiePrefix }: BrowserPlace,
  attemptKey: string
): Option.Option<Redacted.Redacted<string>> =>
  Option.map(Option.fromUndefinedOr(request.cookies[cookiePrefix + attemptKey]), (value) => Redacted.make(value))

/**
 * Binds the browser to an attempt, beside those that it has of other sessions; the oldest beyond `mostCookies` go. `Lax`:
 * the network sends it back by a link, with which the cookie must come.
 */
export const withCookie = Effect.fnUntraced(function* (
  response: HttpServerResponse.HttpServerResponse,
  place: BrowserPlace,
  { attemptKey, cookie }: Pick<Redirect, "attemptKey" | "cookie">
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { cookiePrefix, isSecure, path } = place
  const kept = { httpOnly: true, sameSite: "lax", secure: isSecure, path } as const
  const old = namesOf(request, place).slice(0, 1 - mostCookies)
  const gone = old.map((name) => [name, "", { ...kept, maxAge: 0 }] as const)
  const bound = [cookiePrefix + attemptKey, Redacted.value(cookie), { ...kept, maxAge: sessionLife }] as const
  return yield* Effect.orDie(HttpServerResponse.setCookies(response, [...gone, bound]))
})

const originOf = (url: string): string | undefined => Result.getOrUndefined(Result.try(() => new URL(url).origin))

/**
 * Whether a form was sent from a page of ours, as far as the browser says. A page that gives no referrer sends the origin
 * `null`: then `Sec-Fetch-Site` decides, and in browsers that do not send it the form's own token, together with the
 * cookie, which no other site's form brings along.
 */
export const isFromHere = ({ headers }: HttpServerRequest.HttpServerRequest, { publicUrl }: BrowserPlace): boolean => {
  const { host, origin, "sec-fetch-site": site } = headers
  if (site !== undefined && site !== "same-origin") return false
  if (origin === undefined || origin === "null") return true
  return (
    origin === originOf(publicUrl) ||
    (host !== undefined && originOf(origin) === origin && origin.endsWith(`//${host}`))
  )
}

/** A browser that loads a page that nobody asked for yet. */
export const isPrefetch = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  [headers["sec-purpose"], headers["purpose"], headers["x-moz"]].some((given) => given?.includes("prefetch") === true)
