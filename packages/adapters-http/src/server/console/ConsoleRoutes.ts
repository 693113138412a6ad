import { Administration } from "@loopbox/core/access/Administration"
import type { OpenedConsole } from "@loopbox/core/access/ConsoleSessions"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Issue } from "../../api/ErrorBody.ts"
import { apiVersion } from "../../api/apiVersion.ts"
import { AddressLimits, limitedAddress } from "../access/AddressLimits.ts"
import { makeIsAdmin } from "../access/adminToken.ts"
import { makeRateLimiter } from "../edge/rateLimit.ts"
import { type GivenBody, jsonRefusals, readJson, readOptionalJson } from "../edge/readJson.ts"
import { answer, refuse, refuseFor, unavailableSeconds } from "../edge/refuse.ts"
import { toResponse } from "../edge/refusalResponse.ts"
import { refuseStore } from "../edge/storeRefusals.ts"
import { plainRequestRefusal, refusePlainRequest } from "../edge/Validation.ts"
import { rawQueryOf } from "../inbox/enterInbox.ts"
import { SocketJudge } from "../sockets/SocketJudge.ts"
import { countUnauthorized } from "../system/httpMetrics.ts"
import { HttpSettings } from "../system/HttpSettings.ts"
import type { ConsoleOptions, SandboxReply } from "./ConsoleOptions.ts"
import { clearCookie, cookieNameOf, hasCookie, readCookie, setCookie } from "./consoleCookie.ts"
import { makeConsoleFiles } from "./consoleFiles.ts"
import { makeEnterConsole, makeFindSession, refusePage } from "./consoleGate.ts"
import { makeTickets } from "./consoleTickets.ts"
import { isFromOurPage } from "./judgeOrigin.ts"

/** Wrong tokens of one address: ten a minute. */
const wrongTokens = { perSecond: 10 / 60, burst: 10 }

/** Workspaces that the console offers. */
const mostWorkspaces = 100

const Secret = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(512))

const SignIn = Schema.Struct({ ticket: Schema.optionalKey(Secret), admin_token: Schema.optionalKey(Secret) })

/** One of the two, and not both. */
const judgeSignIn = ({ faults, given }: GivenBody): ReadonlyArray<Issue> =>
  faults.length === 0 && "ticket" in given === "admin_token" in given
    ? [{ path: "body", message: "must have ticket or admin_token, one of them" }]
    : []

const refusals = { ...jsonRefusals, ...plainRequestRefusal, StoreUnavailable: refuseStore }

const toJsonAnswer = <A>(data: A) => Effect.map(answer(data), (body) => HttpServerResponse.jsonUnsafe(body))

/** Signing in, by a link or by the admin token, and out. */
const makeSessions = Effect.fnUntraced(function* (options: ConsoleOptions) {
  const { installation, sessions } = options
  const cookieName = cookieNameOf(installation)
  const { advanceClock, publicUrl } = yield* HttpSettings
  const administration = yield* Administration
  const isAdmin = yield* makeIsAdmin
  const enter = yield* makeEnterConsole(options)
  const findSession = yield* makeFindSession(options)
  const addresses = yield* AddressLimits
  const judges = yield* SocketJudge
  const limiter = makeRateLimiter(wrongTokens)
  // One at a time: of many guesses at once none is judged before those before it are counted.
  const inTurn = yield* Semaphore.make(1)
  /** As the browser reaches us, which a proxy may have told us otherwise. */
  const isSecure = ({ headers }: HttpServerRequest.HttpServerRequest) =>
    Effect.map(publicUrl, (url) => (headers["origin"] ?? url).startsWith("https:"))

  const judgePage = Effect.fnUntraced(function* ({ headers }: HttpServerRequest.HttpServerRequest) {
    if (!isFromOurPage(headers, yield* publicUrl)) return yield* refusePage(headers)
  })

  const openBy = Effect.fnUntraced(function* (given: typeof SignIn.Type) {
    if (given.ticket !== undefined) return yield* sessions.redeem(Redacted.make(given.ticket))
    const isRight = yield* isAdmin(Redacted.make(given.admin_token ?? ""))
    return isRight ? Option.some(yield* sessions.open) : Option.none()
  })

  /** The session that a browser had ends: whoever planted it has nothing of the new one. */
  const end = Effect.fnUntraced(function* ({ headers }: HttpServerRequest.HttpServerRequest) {
    const token = readCookie(cookieName, headers["cookie"])
    if (token === undefined) return
    yield* sessions.close(token)
    yield* judges.judgeConsoles
  })

  const begin = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, { token }: OpenedConsole) {
    yield* end(request)
    // Goes on also where strangers share its address.
    addresses.noteGood(token)
    const cookie = setCookie(cookieName, token, yield* isSecure(request))
    return HttpServerResponse.empty({ status: 204, headers: { "set-cookie": cookie } })
  })

  const signIn = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    yield* judgePage(request)
    const given = yield* readJson(SignIn, { rules: (body) => Effect.succeed(judgeSignIn(body)) })
    return yield* inTurn.withPermits(1)(judgeSecret(request, given))
  }).pipe(Effect.catchTags(refusals))

  const judgeSecret = Effect.fnUntraced(function* (
    request: HttpServerRequest.HttpServerRequest,
    given: typeof SignIn.Type
  ) {
    const address = Option.match(request.remoteAddress, { onNone: () => "unknown", onSome: limitedAddress })
    const verdict = limiter.look(address, yield* Clock.currentTimeMillis)
    if (!verdict.isAllowed)
      return yield* refuseFor(
        verdict.waitSeconds,
        "RATE_LIMITED",
        "Too many wrong tokens came from your address. Wait."
      )
    const opened = yield* openBy(given)
    if (Option.isSome(opened)) return yield* begin(request, opened.value)
    yield* limiter.take(address)
    yield* countUnauthorized("console")
    return yield* refuse(
      "UNAUTHORIZED",
      given.ticket !== undefined
        ? "This link was used already, or is older than 10 minutes. Run `loopbox console` for another."
        : "This is not the admin token.",
      { reason: given.ticket !== undefined ? "ticket_unknown" : "admin_token_wrong" }
    )
  })

  const signOut = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    yield* judgePage(request)
    const token = readCookie(cookieName, request.headers["cookie"])
    // Looked up first, for a stranger may ask for the end of sessions that are none as often as for others.
    if (token !== undefined && Option.isSome(yield* findSession(token))) yield* end(request)
    if (!hasCookie(cookieName, request.headers["cookie"])) return HttpServerResponse.empty({ status: 204 })
    const cookie = clearCookie(cookieName, yield* isSecure(request))
    return HttpServerResponse.empty({ status: 204, headers: { "set-cookie": cookie } })
  }).pipe(Effect.catchTags({ StoreUnavailable: refuseStore }))

  const tell = Effect.gen(function* () {
    const { expiresAt } = yield* enter(yield* HttpServerRequest.HttpServerRequest)
    const { items, next } = yield* administration.listWorkspaces({ limit: mostWorkspaces, after: Option.none() })
    return yield* toJsonAnswer({
      expires_at: DateTime.formatIso(expiresAt),
      version: apiVersion,
      api_url: yield* publicUrl,
      test_clock: Option.isSome(advanceClock),
      sandbox: options.sandbox !== undefined,
      sandbox_url: options.sandboxUrl ?? null,
      workspaces: items.map(({ id, name, plan }) => ({ id, name, plan })),
      has_more_workspaces: Option.isSome(next)
    })
  }).pipe(Effect.catchTags({ StoreUnavailable: refuseStore }))

  return { signIn, signOut, tell }
})

const makeActivity = Effect.fnUntraced(function* (options: ConsoleOptions) {
  const enter = yield* makeEnterConsole(options)
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    yield* enter(request)
    const range = new URLSearchParams(rawQueryOf(request.url)).get("range") ?? "hour"
    if (range !== "hour" && range !== "day")
      return yield* refusePlainRequest([{ path: "range", message: "must be hour or day" }])
    return yield* toJsonAnswer(yield* options.activity(range))
  })
})

const hasSentence = Schema.is(Schema.Struct({ error: Schema.String }))

/** What the simulated networks say no to: nothing there, nothing that a network would do, or not to be read. */
const refuseControl = ({ body, status }: SandboxReply) => {
  const sentence = hasSentence(body) ? body.error : undefined
  if (status === 404) return refuse("NOT_FOUND", sentence)
  if (status === 409) return refuse("ACTION_NOT_AVAILABLE", sentence)
  if (status >= 500) return refuseFor(unavailableSeconds, "TEMPORARILY_UNAVAILABLE", sentence)
  return refuse("VALIDATION_ERROR", sentence)
}

const methods = { GET: "GET", POST: "POST", PUT: "PUT", DELETE: "DELETE" } as const

const isMethod = (method: string): method is keyof typeof methods => method in methods

const makeSandbox = Effect.fnUntraced(function* (options: ConsoleOptions) {
  const enter = yield* makeEnterConsole(options)
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    yield* enter(request)
    const { sandbox } = options
    const { method, url } = request
    if (sandbox === undefined || !isMethod(method)) return yield* refuse("NOT_FOUND")
    const body = method === "GET" ? Option.none() : yield* readOptionalJson(Schema.Json)
    const reply = yield* sandbox(method, url.replace(/^\/console\/sandbox\//, ""), Option.getOrUndefined(body))
    if (reply.status >= 400) return yield* refuseControl(reply)
    return HttpServerResponse.jsonUnsafe(yield* answer(reply.body), { status: reply.status })
  }).pipe(Effect.catchTags({ ...jsonRefusals, ...plainRequestRefusal }))
})

/** `/console` and all below it but `/console/v1`; nothing where the host has no console. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { console } = yield* HttpSettings
    if (Option.isNone(console)) return
    const options = console.value
    const { signIn, signOut, tell } = yield* makeSessions(options)
    yield* router.add("POST", "/console/session", toResponse(signIn))
    yield* router.add("GET", "/console/session", toResponse(tell))
    yield* router.add("DELETE", "/console/session", toResponse(signOut))
    yield* router.add("POST", "/console/tickets", toResponse(yield* makeTickets(options)))
    const files = yield* makeConsoleFiles(options)
    /** Pages have these addresses, too: what a browser opens is the page, and what a page asks for is what it shows. */
    const orPage = <R>(answered: Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>) =>
      Effect.gen(function* () {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        return headers["sec-fetch-dest"] === "document" ? yield* files : yield* answered
      })
    yield* router.add("GET", "/console/activity", orPage(toResponse(yield* makeActivity(options))))
    yield* router.add("*", "/console/sandbox/*", orPage(toResponse(yield* makeSandbox(options))))
    yield* router.add("GET", "/console/*", files)
  })
)
