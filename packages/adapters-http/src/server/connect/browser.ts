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
  readonly cookieName: string
}

/** Browsers take a cookie of the first name only from https. */
const cookieNames = { secure: "__Secure-loopbox_connect", plain: "loopbox_connect" }

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
      cookieName: isSecure ? cookieNames.secure : cookieNames.plain
    }
  })
})

/** The cookie that bound this browser to an attempt. */
export const cookieOf = (
  request: HttpServerRequest.HttpServerRequest,
  { cookieName }: BrowserPlace
): Option.Option<Redacted.Redacted<string>> =>
  Option.map(Option.fromUndefinedOr(request.cookies[cookieName]), (value) => Redacted.make(value))

/** Binds the browser. `Lax`: the network sends it back by a link, with which the cookie must come. */
export const withCookie = (
  response: HttpServerResponse.HttpServerResponse,
  { cookieName, isSecure, path }: BrowserPlace,
  value: Redacted.Redacted<string>
) =>
  Effect.orDie(
    HttpServerResponse.setCookie(response, cookieName, Redacted.value(value), {
      httpOnly: true,
      sameSite: "lax",
      secure: isSecure,
      path,
      maxAge: sessionLife
    })
  )

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
