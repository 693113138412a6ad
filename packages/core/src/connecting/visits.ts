import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type { CredentialVault } from "../accounts/CredentialVault.ts"
import type { SocialAccounts } from "../accounts/SocialAccounts.ts"
import type { Connectors } from "../networks/Connectors.ts"
import type { Network } from "../networks/Source.ts"
import type { Workspaces } from "../workspaces/Workspaces.ts"
import { makeAttemptWork } from "./attemptWork.ts"
import type { BrowserSecrets } from "./browserSecrets.ts"
import {
  attemptKeyOf,
  type Ended,
  makeChoicePage,
  type NothingChosen,
  type Redirect,
  type Waiting
} from "./choicePage.ts"
import type { ConnectAttempt } from "./ConnectAttempt.ts"
import { ConnectLinkExpired, ConnectLinkUnknown, StateInvalid } from "./ConnectErrors.ts"
import { connectOf } from "./connectOf.ts"
import { sessionAt } from "./ConnectSession.ts"
import type { AttemptName, ConnectSessionStore } from "./ConnectSessionStore.ts"
import {
  type BrowserAnswer,
  decideBegin,
  decideCallback,
  decideChoices,
  decideChosen,
  isOpen
} from "./decideAttempt.ts"
import { type CallbackQuery, refusalOf } from "./exchangeCode.ts"

interface Ports {
  readonly store: ConnectSessionStore["Service"]
  readonly accounts: SocialAccounts["Service"]
  readonly workspaces: Workspaces["Service"]
  readonly vault: CredentialVault["Service"]
  readonly connectors: Connectors["Service"]
  readonly random: SecureRandom["Service"]
  readonly secrets: BrowserSecrets
}

type Cookie = Redacted.Redacted<string>
type Cookies = ReadonlyArray<Cookie>

const waiting: Waiting = { _tag: "Waiting" }

/** The ways of a person's browser through a session. */
export const makeVisits = Effect.fnUntraced(function* (ports: Ports) {
  const { connectors, secrets, store, vault } = ports
  const toPage = makeChoicePage(ports)
  const { admit, isChoice, receive, toTheEnd, whenFree } = yield* makeAttemptWork(ports)

  /** `cookieOf`: the cookie of the attempt, which the browser has. */
  const toAnswer = Effect.fnUntraced(function* (
    answer: BrowserAnswer,
    cookieOf: (attempt: ConnectAttempt) => Cookie | undefined
  ) {
    switch (answer._tag) {
      case "Choosing": {
        const cookie = cookieOf(answer.attempt)
        if (cookie === undefined) return yield* new StateInvalid()
        return yield* toPage(answer.session, answer.attempt, answer.candidates, cookie)
      }
      case "Over":
        return { _tag: "Ended", session: answer.session } satisfies Ended
      case "Running":
        return waiting
      case "Claimed":
      case "Invalid":
        return yield* new StateInvalid()
    }
  })

  const begin = Effect.fn("ConnectSessions.begin")(function* (
    linkToken: Redacted.Redacted<string>,
    callbackUrl: (network: Network) => string,
    cookies: Cookies
  ) {
    const found = yield* store.findByLink(yield* secrets.digestOf(linkToken))
    if (Option.isNone(found)) return yield* new ConnectLinkUnknown()
    const { session } = found.value
    const { id: sessionId, network, workspaceId } = session
    const connect = connectOf(connectors, session)
    const [state, cookie, verifier] = [yield* secrets.fresh, yield* secrets.fresh, yield* secrets.fresh]
    const createdAt = yield* DateTime.now
    const redirectUri = callbackUrl(network)
    const attempt: ConnectAttempt = {
      workspaceId,
      sessionId,
      stateDigest: yield* secrets.digestOf(state),
      cookieDigest: yield* secrets.digestOf(cookie),
      redirectUri,
      sealedVerifier: yield* vault.seal(
        { workspaceId, accountId: sessionId },
        { accessToken: verifier, refreshToken: Option.none(), expiresAt: Option.none() }
      ),
      createdAt,
      progress: { _tag: "Open" }
    }
    const cookieDigests = yield* Effect.forEach(cookies, secrets.digestOf)
    const decide = decideBegin(attempt, cookieDigests, createdAt)
    const begun = yield* store.begin(workspaceId, sessionId, (current, attempts) =>
      connect === undefined ? Option.none() : decide(current, attempts)
    )
    if (Option.isNone(begun)) return yield* new ConnectLinkUnknown()
    if (connect === undefined || begun.value.status === "completed") {
      return { _tag: "Ended", session: sessionAt(begun.value, createdAt) } satisfies Ended
    }
    if (!isOpen(begun.value, createdAt)) return yield* new ConnectLinkExpired()
    const to = yield* connect.authorizeUrl({
      redirectUri,
      state,
      verifier,
      features: session.features,
      // What was declined is not asked for again by itself.
      isReconnect: Option.isSome(session.socialAccountId) || begun.value.status === "denied"
    })
    const attemptKey = attemptKeyOf(attempt)
    return { _tag: "Redirect", session: begun.value, attemptKey, to, cookie } satisfies Redirect
  })

  /** Of an answer that was kept by somebody who died before the only account was connected. */
  const goOn = Effect.fnUntraced(function* (name: AttemptName) {
    const { answer, token } = yield* whenFree(name, decideChosen)
    return answer._tag === "Claimed" && "candidates" in answer.attempt.progress
      ? yield* admit(name, token, answer.session, answer.attempt.progress.candidates)
      : answer
  })

  const callback = Effect.fn("ConnectSessions.callback")(function* (
    network: string,
    query: CallbackQuery,
    cookies: Cookies
  ) {
    const state = query["state"] ?? ""
    if (state === "" || cookies.length === 0) return yield* new StateInvalid()
    const name: AttemptName = { by: "state", digest: yield* secrets.digestOf(Redacted.make(state)) }
    const refusal = refusalOf(query)
    const said = Option.match(refusal, {
      onNone: () => `code\n${query["code"] ?? ""}`,
      onSome: ({ code, detail }) => `refusal\n${code}\n${detail}`
    })
    const cookieDigests = yield* Effect.forEach(cookies, secrets.digestOf)
    const browser = { network, cookieDigests, answer: yield* secrets.digestOf(Redacted.make(said)) }
    const work = Effect.gen(function* () {
      const { answer, token } = yield* whenFree(name, (claim) => decideCallback(browser, claim))
      if (answer._tag === "Claimed") return yield* receive(name, token, answer, query)
      const isLeft = answer._tag === "Choosing" && !isChoice(answer.session, answer.candidates)
      return isLeft ? yield* goOn(name) : answer
    })
    const outcome = yield* toTheEnd(work)
    if (Option.isNone(outcome)) return waiting
    return yield* toAnswer(outcome.value, ({ cookieDigest }) => cookies[cookieDigests.indexOf(cookieDigest)])
  })

  /** What is to be chosen now, or the outcome. */
  const look = (name: AttemptName) =>
    Effect.map(
      whenFree(name, ({ now }) => decideChoices(now)),
      ({ answer }) => answer
    )

  const nameOf = (cookie: Cookie) =>
    Effect.map(secrets.digestOf(cookie), (digest): AttemptName => ({ by: "cookie", digest }))

  const choices = Effect.fn("ConnectSessions.choices")(function* (cookie: Option.Option<Cookie>) {
    if (Option.isNone(cookie)) return yield* new StateInvalid()
    return yield* toAnswer(yield* look(yield* nameOf(cookie.value)), () => cookie.value)
  })

  const choose = Effect.fn("ConnectSessions.choose")(function* (
    cookie: Option.Option<Cookie>,
    formToken: Redacted.Redacted<string>,
    keys: ReadonlyArray<string>
  ) {
    if (Option.isNone(cookie)) return yield* new StateInvalid()
    if (!(yield* secrets.isFormToken(cookie.value, formToken))) return yield* new StateInvalid()
    const name = yield* nameOf(cookie.value)
    const shown = yield* look(name)
    if (shown._tag === "Over") return { _tag: "Ended", session: shown.session } satisfies Ended
    if (shown._tag === "Running") return waiting
    if (shown._tag !== "Choosing") return yield* new StateInvalid()
    const { attempt, candidates, session } = shown
    const chosen = candidates.filter(
      ({ networkAccountId, sealed }) => Option.isSome(sealed) && keys.includes(networkAccountId)
    )
    if (chosen.length === 0 || (Option.isSome(session.socialAccountId) && chosen.length > 1)) {
      const page = yield* toPage(session, attempt, candidates, cookie.value)
      return { ...page, _tag: "NothingChosen" } satisfies NothingChosen
    }
    const work = Effect.gen(function* () {
      const { answer, token } = yield* whenFree(name, decideChosen)
      return answer._tag === "Claimed" ? yield* admit(name, token, answer.session, chosen) : answer
    })
    const outcome = Option.getOrElse(yield* toTheEnd(work), (): BrowserAnswer => ({ _tag: "Running" }))
    if (outcome._tag === "Running") return waiting
    if (outcome._tag !== "Over") return yield* new StateInvalid()
    return { _tag: "Ended", session: outcome.session } satisfies Ended
  })

  return { begin, callback, choices, choose }
})
