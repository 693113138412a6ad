import { Administration } from "@loopbox/core/access/Administration"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Headers from "effect/http/Headers"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { AddressLimits } from "../access/AddressLimits.ts"
import { refuseAddress } from "../access/identify.ts"
import { rawQueryOf } from "../inbox/enterInbox.ts"
import { refuse, refuseFor, unavailableSeconds } from "../edge/refuse.ts"
import { toResponse } from "../edge/refusalResponse.ts"
import { refusePlainRequest } from "../edge/Validation.ts"
import { countUnauthorized } from "../system/httpMetrics.ts"
import { HttpSettings } from "../system/HttpSettings.ts"
import type { ConsoleOptions } from "./ConsoleOptions.ts"
import { CurrentConsoleCredential } from "./CurrentConsoleCredential.ts"
import { cookieNameOf, readCookie } from "./consoleCookie.ts"
import { isFromOurPage } from "./judgeOrigin.ts"

type Request = HttpServerRequest.HttpServerRequest

const mounted = "/console"

/** The address of the API that an address below `/console/v1` stands for; absent for all others. */
export const consoleTarget = (url: string): string | undefined =>
  url.startsWith(`${mounted}/v1/`) ? url.slice(mounted.length) : undefined

const workspaceHeader = "loopbox-workspace"
const workspaceParameter = "workspace_id"

/** A request without what is the console's own: the API would take neither the cookie nor the parameter. */
const asApiRequest = (request: Request, target: string): Request => {
  const isSocket = request.headers["upgrade"] !== undefined
  const path = target.split("?", 1)[0] ?? target
  // The pairs as they came, for the API judges them so; a socket knows this one itself.
  const pairs = rawQueryOf(target)
    .split("&")
    .filter((pair) => isSocket || !pair.startsWith(`${workspaceParameter}=`))
  const rest = pairs.join("&")
  return request.modify({
    url: rest === "" ? path : `${path}?${rest}`,
    headers: Headers.removeMany(request.headers, ["cookie", "authorization", "x-workspace-id", workspaceHeader])
  })
}

const refuseStore = (error: StoreUnavailable) =>
  Effect.andThen(
    Effect.logWarning("a console's session could not be looked up", error),
    refuseFor(unavailableSeconds, "TEMPORARILY_UNAVAILABLE")
  )

const refuseSignedOut = Effect.suspend(() =>
  refuse("UNAUTHORIZED", "Nobody is signed in here, or not any more. Open the console again.", { reason: "signed_out" })
)

const refuseOtherPages = Effect.suspend(() => refuse("FORBIDDEN", "Only the console's own pages may ask for this."))

/** A browser that says nothing: it takes the connection for an insecure one, or is too old. Nothing tells it from a forgery. */
const refuseSilentBrowser = Effect.suspend(() =>
  refuse(
    "FORBIDDEN",
    "Your browser does not say which page asks for this, as browsers do by https and on the host's own machine alone. " +
      "Open the console by https, or through a tunnel: ssh -L 8080:127.0.0.1:8080 HOST.",
    { reason: "origin_unknown" }
  )
)

/** Why a request that is not from our page is refused. */
export const refusePage = (headers: Headers.Headers) =>
  headers["origin"] === undefined && headers["sec-fetch-site"] === undefined ? refuseSilentBrowser : refuseOtherPages

/**
 * Looks up a session for a request, which strangers may have done as often as API keys: cookies that do not count are
 * counted together with the refused credentials of their address. Refused where those are too many.
 */
export const makeFindSession = Effect.fnUntraced(function* ({ sessions }: Pick<ConsoleOptions, "sessions">) {
  const addresses = yield* AddressLimits
  const noteRefused = Effect.gen(function* () {
    yield* countUnauthorized("console")
    const wait = yield* addresses.noteRefused
    if (Option.isSome(wait)) return yield* refuseAddress(wait.value)
  })
  return Effect.fnUntraced(function* (token: Redacted.Redacted<string>) {
    const wait = yield* addresses.judge(token)
    if (Option.isSome(wait)) return yield* refuseAddress(wait.value)
    const found = yield* sessions.find(token)
    if (Option.isSome(found)) addresses.noteGood(token)
    else yield* noteRefused
    return found
  })
})

/** A request's session, where it stands and a page of ours asks; else why not. */
export const makeEnterConsole = Effect.fnUntraced(function* ({
  installation,
  sessions
}: Pick<ConsoleOptions, "installation" | "sessions">) {
  const cookieName = cookieNameOf(installation)
  const { publicUrl } = yield* HttpSettings
  const findSession = yield* makeFindSession({ sessions })
  return Effect.fnUntraced(function* ({ headers }: Request) {
    if (!isFromOurPage(headers, yield* publicUrl)) return yield* refusePage(headers)
    const token = readCookie(cookieName, headers["cookie"])
    // Who has no cookie yet has a browser that was never signed in, and guesses nothing.
    if (token === undefined) return yield* refuseSignedOut
    const expiresAt = yield* Effect.catchTag(findSession(token), "StoreUnavailable", refuseStore)
    return Option.isSome(expiresAt) ? { token, expiresAt: expiresAt.value } : yield* refuseSignedOut
  })
})

/** The workspace that a request names, which only what is of the whole installation may leave out. */
const workspaceOf = Effect.fnUntraced(function* ({ headers }: Request, target: string) {
  const parameter = new URLSearchParams(rawQueryOf(target)).get(workspaceParameter) ?? ""
  const header = headers[workspaceHeader] ?? ""
  const isOtherwise = header !== "" && parameter !== "" && header !== parameter
  const named = header === "" ? parameter : header
  if (named !== "" && !isOtherwise) return Option.some(named)
  if (named === "" && target.startsWith("/v1/admin/")) return Option.none<string>()
  const message = isOtherwise ? "names another workspace than workspace_id" : "must name a workspace"
  return yield* refusePlainRequest([{ path: "Loopbox-Workspace", message }])
})

/** What the operator saw is not in the browser any more once they have signed out. */
const isNotKept = HttpServerResponse.setHeader("cache-control", "no-store")

/**
 * `/console/v1`: the API once more, behind the console's session, for the operator of the workspace that the request names
 * (console.md §3). The same routes and handlers; only who calls is known in another way.
 */
export const makeConsoleGate = Effect.gen(function* () {
  const { console } = yield* HttpSettings
  if (Option.isNone(console)) return undefined
  const enter = yield* makeEnterConsole(console.value)
  const administration = yield* Administration
  const judgeWorkspace = (id: Option.Option<string>) =>
    Option.isNone(id)
      ? Effect.void
      : Effect.catchTags(administration.findWorkspace(id.value), {
          WorkspaceNotFound: () => refuse("NOT_FOUND", "There is no such workspace."),
          StoreUnavailable: refuseStore
        })
  return <E, R>(request: Request, target: string, next: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function* () {
      const { token } = yield* enter(request)
      if (target.startsWith("/v1/webhooks/")) return yield* refuse("NOT_FOUND")
      const workspaceId = yield* workspaceOf(request, target)
      yield* judgeWorkspace(workspaceId)
      return Effect.map(next, isNotKept).pipe(
        Effect.provideService(HttpServerRequest.HttpServerRequest, asApiRequest(request, target)),
        Effect.provideService(CurrentConsoleCredential, Option.some({ token, workspaceId, isOfConsole: true }))
      )
    }).pipe(
      Effect.match({ onFailure: (refused) => toResponse(Effect.fail(refused)), onSuccess: (allowed) => allowed }),
      Effect.flatten
    )
})
