import { type ConnectSession, hasExpired } from "@loopbox/core/connecting/ConnectSession"
import type {
  CallbackQuery,
  Choosing,
  Ended,
  NothingChosen,
  Redirect,
  Waiting
} from "@loopbox/core/connecting/ConnectSessions"
import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { returnAddress } from "@loopbox/core/connecting/returnAddress"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { linkOf } from "../accounts/sessionAnswer.ts"
import { rawQueryOf } from "../inbox/enterInbox.ts"
import { type BrowserPlace, browserPlace, cookieOf, cookiesOf, isFromHere, isPrefetch, withCookie } from "./browser.ts"
import { readForm } from "../edge/readForm.ts"
import { choosingPage, deletionPage, endPage, waitingPage } from "./pages.ts"
import { makeGuard, makeShow, Trouble } from "./troubles.ts"
import { connectedAccounts, connectSessions, metaCallbacks } from "../accounts/connectingOrNone.ts"

/** The members of a query that were given once; of others nobody knows which is meant. */
const queryOf = (url: string): CallbackQuery => {
  const given = new URLSearchParams(rawQueryOf(url))
  return Object.fromEntries(Array.from(given).filter(([name]) => given.getAll(name).length === 1))
}

const seeOther = (location: string) => HttpServerResponse.empty({ status: 303, headers: { location } })

/** Bytes of a form: a key for each of some hundred Pages, and the token. */
const maxForm = 64 * 1024

/** Accounts that the page at the end names. */
const mostNames = 50

/** The page of an attempt on which the person chooses, and to which the form is sent. */
const choicePath = ({ path }: BrowserPlace, attemptKey: string): string => `${path}/choose/${attemptKey}`

const makeOutcome = Effect.gen(function* () {
  const sessions = yield* connectSessions
  const accounts = yield* connectedAccounts
  const show = yield* makeShow

  /** Where a session that failed can be tried again. */
  const retryOf = Effect.fnUntraced(
    function* ({ session }: Ended, { publicUrl }: BrowserPlace) {
      if (session.status === "completed" || hasExpired(session, yield* DateTime.now)) return Option.none()
      const { linkToken } = yield* sessions.find(new WorkspaceScope({ workspaceId: session.workspaceId }), session.id)
      return Option.some(linkOf(publicUrl, linkToken))
    },
    Effect.catchTag("ConnectSessionNotFound", () => Effect.succeedNone)
  )

  /** The names of what was connected; an account that was taken away meanwhile has none. */
  const connectedOf = ({ accountIds, workspaceId }: ConnectSession) =>
    Effect.forEach(accountIds.slice(0, mostNames), (id) =>
      accounts.find(new WorkspaceScope({ workspaceId }), id).pipe(
        Effect.map(({ name }) => [name]),
        Effect.catchTag("AccountNotFound", () => Effect.succeed([]))
      )
    ).pipe(Effect.map((names) => names.flat()))

  return Effect.fnUntraced(function* (
    outcome: Ended | Choosing | Redirect | NothingChosen | Waiting,
    place: BrowserPlace
  ) {
    switch (outcome._tag) {
      case "Redirect":
        return yield* withCookie(seeOther(Redacted.value(outcome.to)), place, outcome)
      case "Waiting":
        return yield* show(202, waitingPage)
      case "Choosing":
      case "NothingChosen": {
        const isRefused = outcome._tag === "NothingChosen"
        return yield* show(isRefused ? 400 : 200, (language) =>
          choosingPage(language, choicePath(place, outcome.attemptKey), outcome, isRefused)
        )
      }
      case "Ended": {
        const address = returnAddress(outcome.session)
        if (Option.isSome(address)) return seeOther(address.value)
        const retry = yield* retryOf(outcome, place)
        const connected = yield* connectedOf(outcome.session)
        const status = outcome.session.status === "expired" ? 410 : 200
        return yield* show(status, (language) => endPage(language, outcome.session, connected, retry))
      }
    }
  })
})

const make = Effect.gen(function* () {
  const sessions = yield* connectSessions
  const callbacks = yield* metaCallbacks
  const placeOf = yield* browserPlace
  const answerOutcome = yield* makeOutcome
  const show = yield* makeShow
  const guard = yield* makeGuard

  const open = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    // A chat app that looks where a link leads, and a browser that is ahead of its user, make no attempt.
    if (request.method === "HEAD") return HttpServerResponse.empty({ status: 200 })
    if (isPrefetch(request)) return HttpServerResponse.empty({ status: 503, headers: { "retry-after": "1" } })
    const { params } = yield* HttpRouter.RouteContext
    const token = Redacted.make(params["token"] ?? "")
    const place = yield* placeOf
    const callbackUrl = (network: string) => `${place.publicUrl}/connect/callback/${network}`
    return yield* guard(
      token,
      Effect.flatMap(sessions.begin(token, callbackUrl, cookiesOf(request, place)), (outcome) =>
        answerOutcome(outcome, place)
      )
    )
  })

  const comeBack = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { params } = yield* HttpRouter.RouteContext
    const place = yield* placeOf
    const query = queryOf(request.url)
    if (request.method === "HEAD") return HttpServerResponse.empty({ status: 200 })
    return yield* guard(
      Redacted.make(query["state"] ?? ""),
      sessions
        .callback(params["network"] ?? "", query, cookiesOf(request, place))
        .pipe(Effect.flatMap((outcome) => answerOutcome(outcome, place)))
    )
  })

  /** The attempt that the path names, with the cookie that its browser has. */
  const named = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { params } = yield* HttpRouter.RouteContext
    const place = yield* placeOf
    const attemptKey = params["key"] ?? ""
    return { request, place, attemptKey, cookie: cookieOf(request, place, attemptKey) }
  })

  const showChoices = Effect.gen(function* () {
    const { cookie, place } = yield* named
    return yield* guard(
      Option.getOrElse(cookie, () => Redacted.make("")),
      Effect.flatMap(sessions.choices(cookie), (outcome) => answerOutcome(outcome, place))
    )
  })

  const choose = Effect.gen(function* () {
    const { attemptKey, cookie, place, request } = yield* named
    const chosen = Effect.gen(function* () {
      if (!isFromHere(request, place)) return yield* new Trouble({ trouble: "state_invalid" })
      const form = yield* readForm(maxForm)
      const [formToken = "", ...more] = form.getAll("form_token")
      if (more.length > 0) return yield* new Trouble({ trouble: "state_invalid" })
      const outcome = yield* sessions.choose(cookie, Redacted.make(formToken), form.getAll("account"))
      // The next page is read by a GET, so that loading it again sends nothing again.
      const isReadLater =
        outcome._tag === "Waiting" || (outcome._tag === "Ended" && Option.isNone(returnAddress(outcome.session)))
      return isReadLater ? seeOther(choicePath(place, attemptKey)) : yield* answerOutcome(outcome, place)
    })
    return yield* guard(
      Option.getOrElse(cookie, () => Redacted.make("")),
      chosen
    )
  })

  const showDeletion = Effect.gen(function* () {
    const { params } = yield* HttpRouter.RouteContext
    const code = params["code"] ?? ""
    const found = Effect.gen(function* () {
      const request = yield* callbacks.findDeletion(code)
      if (Option.isNone(request)) return yield* new Trouble({ trouble: "deletion_unknown" })
      return yield* show(200, (language) => deletionPage(language, request.value))
    })
    return yield* guard(Redacted.make(code), found)
  })
  return { open, comeBack, showChoices, choose, showDeletion }
})

/** `/connect/*`: what a person's browser meets on its way to a network and back (api-2.md §11). */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { choose, comeBack, open, showChoices, showDeletion } = yield* make
    yield* router.add("GET", "/connect/:token", open)
    yield* router.add("GET", "/connect/callback/:network", comeBack)
    yield* router.add("GET", "/connect/choose/:key", showChoices)
    yield* router.add("POST", "/connect/choose/:key", choose)
    yield* router.add("GET", "/connect/deletion/:code", showDeletion)
  })
)
