import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type { CredentialVault } from "../accounts/CredentialVault.ts"
import type { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { toBase32 } from "../kernel/Ids.ts"
import { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { untilStored } from "../kernel/untilStored.ts"
import type { Connectors } from "../networks/Connectors.ts"
import type { Network } from "../networks/Source.ts"
import type { Workspaces } from "../workspaces/Workspaces.ts"
import { makeAdmitCandidates } from "./admitCandidates.ts"
import type { BrowserSecrets } from "./browserSecrets.ts"
import type { ConnectAttempt } from "./ConnectAttempt.ts"
import { ConnectLinkExpired, ConnectLinkUnknown, StateInvalid } from "./ConnectErrors.ts"
import { type Ended, makeChoicePage, type NothingChosen, type Redirect } from "./choicePage.ts"
import { connectOf } from "./connectOf.ts"
import { type ConnectFailure, sessionAt } from "./ConnectSession.ts"
import type { AttemptName, AttemptFacts, AttemptDecision, ConnectSessionStore } from "./ConnectSessionStore.ts"
import {
  type AttemptEnd,
  type AttemptLease,
  type BrowserAnswer,
  decideBegin,
  decideCallback,
  decideChoices,
  decideChosen,
  decideEnd
} from "./decideAttempt.ts"
import { type CallbackQuery, makeExchangeCode, refusalOf } from "./exchangeCode.ts"

interface Ports {
  readonly store: ConnectSessionStore["Service"]
  readonly accounts: SocialAccounts["Service"]
  readonly workspaces: Workspaces["Service"]
  readonly vault: CredentialVault["Service"]
  readonly connectors: Connectors["Service"]
  readonly random: SecureRandom["Service"]
  readonly secrets: BrowserSecrets
}

type Cookie = Option.Option<Redacted.Redacted<string>>
type Claimed = Extract<BrowserAnswer, { readonly _tag: "Claimed" }>

/** How long nobody else works on an attempt; longer than a code's exchange may take. */
const lease = { seconds: 60 } as const

/** How often a reload looks whether the first one is done: until the lease is over for sure. */
const looks = { every: "250 millis", atMost: 260 } as const

const endedBy = (failure: ConnectFailure): AttemptEnd => ({
  _tag: "End",
  status: failure.code === "denied" ? "denied" : "failed",
  accountIds: [],
  failure: Option.some(failure)
})

const notConfigured: ConnectFailure = { code: "provider_error", detail: "this host has no app of the network any more" }

/** The ways of a person's browser through a session. */
export const makeVisits = Effect.fnUntraced(function* (ports: Ports) {
  const { accounts, connectors, random, secrets, store, vault } = ports
  const exchangeCode = makeExchangeCode(vault)
  const toPage = makeChoicePage(ports)
  const admitCandidates = makeAdmitCandidates({ accounts, random, vault })
  const scope = yield* Effect.scope

  /** Goes on when the browser is closed or reloads: a code is good for one exchange. */
  const toTheEnd = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.flatMap(Effect.forkIn(work, scope), Fiber.join)

  const change = (name: AttemptName, decide: (facts: AttemptFacts) => AttemptDecision<BrowserAnswer>) =>
    Effect.map(
      store.change(name, decide),
      Option.getOrElse((): BrowserAnswer => ({ _tag: "Invalid" }))
    )

  /** Asks until nobody else works on the attempt. */
  const whenFree = Effect.fnUntraced(function* (
    name: AttemptName,
    decide: (lease: AttemptLease) => (facts: AttemptFacts) => AttemptDecision<BrowserAnswer>
  ) {
    const token = toBase32(yield* random.randomBytes(16))
    for (let look = 0; look < looks.atMost; look++) {
      const now = yield* DateTime.now
      const answer = yield* change(name, decide({ token, now, until: DateTime.add(now, lease) }))
      if (answer._tag !== "Running") return { answer, token }
      yield* Effect.sleep(looks.every)
    }
    return yield* new StoreUnavailable({
      operation: "connectSessions.wait",
      committed: "unknown",
      cause: new Error("another request still works on it")
    })
  })

  const toAnswer = Effect.fnUntraced(function* (answer: BrowserAnswer, cookie: Redacted.Redacted<string>) {
    if (answer._tag === "Choosing") return yield* toPage(answer.session, answer.candidates, cookie)
    if (answer._tag !== "Over") return yield* new StateInvalid()
    const ended: Ended = { _tag: "Ended", session: answer.session }
    return ended
  })

  /** Stores how the work ended; what a network gave once must not be lost. */
  const end = Effect.fnUntraced(function* (name: AttemptName, token: string, { session }: Claimed, how: AttemptEnd) {
    if (how._tag === "End" && Option.isSome(how.failure)) {
      const { code, detail } = how.failure.value
      const about = { session_id: session.id, workspace_id: session.workspaceId, network: session.network }
      yield* Effect.logInfo("a person could not connect all that was asked for", { ...about, code, detail })
    }
    return yield* untilStored(change(name, decideEnd(token, how, yield* DateTime.now)))
  })

  /** What comes of the network's answer: accounts to choose from, or the end. */
  const receive = (
    { attempt, session }: Claimed,
    query: CallbackQuery
  ): Effect.Effect<AttemptEnd, StoreUnavailable> => {
    const refusal = refusalOf(query)
    if (Option.isSome(refusal)) return Effect.succeed(endedBy(refusal.value))
    const connect = connectOf(connectors, session)
    if (connect === undefined) return Effect.succeed(endedBy(notConfigured))
    return exchangeCode(session, attempt, connect, query["code"] ?? "").pipe(
      Effect.matchEffect({
        onFailure: (failure) => Effect.succeed(endedBy(failure)),
        onSuccess: (candidates) =>
          candidates.length === 1 && !connect.alwaysChooses
            ? admitCandidates(session, connect, candidates)
            : Effect.succeed<AttemptEnd>({ _tag: "Choose", candidates })
      })
    )
  }

  const begin = Effect.fn("ConnectSessions.begin")(function* (
    linkToken: Redacted.Redacted<string>,
    callbackUrl: (network: Network) => string
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
    const begun = yield* store.begin(attempt, (current) =>
      connect === undefined ? Option.none() : decideBegin(current, createdAt)
    )
    if (Option.isNone(begun)) return yield* new ConnectLinkUnknown()
    const isOpen = Option.isSome(decideBegin(begun.value, createdAt))
    if (connect === undefined || begun.value.status === "completed") {
      return { _tag: "Ended", session: sessionAt(begun.value, createdAt) } satisfies Ended
    }
    if (!isOpen) return yield* new ConnectLinkExpired()
    const to = yield* connect.authorizeUrl({
      redirectUri,
      state,
      verifier,
      features: session.features,
      // What was declined is not asked for again by itself.
      isReconnect: Option.isSome(session.socialAccountId) || begun.value.status === "denied"
    })
    return { _tag: "Redirect", session: begun.value, to, cookie } satisfies Redirect
  })

  const callback = Effect.fn("ConnectSessions.callback")(function* (
    network: string,
    query: CallbackQuery,
    cookie: Cookie
  ) {
    const state = query["state"] ?? ""
    if (state === "" || Option.isNone(cookie)) return yield* new StateInvalid()
    const name: AttemptName = { by: "state", digest: yield* secrets.digestOf(Redacted.make(state)) }
    const refusal = refusalOf(query)
    const said = Option.match(refusal, {
      onNone: () => `code\n${query["code"] ?? ""}`,
      onSome: ({ code, detail }) => `refusal\n${code}\n${detail}`
    })
    const browser = {
      network,
      cookieDigest: yield* secrets.digestOf(cookie.value),
      answer: yield* secrets.digestOf(Redacted.make(said))
    }
    const work = Effect.gen(function* () {
      const { answer, token } = yield* whenFree(name, (claim) => decideCallback(browser, claim))
      if (answer._tag !== "Claimed") return answer
      return yield* end(name, token, answer, yield* receive(answer, query))
    })
    return yield* toAnswer(yield* toTheEnd(work), cookie.value)
  })

  /** What is to be chosen now, or the outcome. */
  const look = (name: AttemptName) =>
    Effect.map(
      whenFree(name, ({ now }) => decideChoices(now)),
      ({ answer }) => answer
    )

  const nameOf = (cookie: Redacted.Redacted<string>) =>
    Effect.map(secrets.digestOf(cookie), (digest): AttemptName => ({ by: "cookie", digest }))

  const choices = Effect.fn("ConnectSessions.choices")(function* (cookie: Cookie) {
    if (Option.isNone(cookie)) return yield* new StateInvalid()
    return yield* toAnswer(yield* look(yield* nameOf(cookie.value)), cookie.value)
  })

  const choose = Effect.fn("ConnectSessions.choose")(function* (
    cookie: Cookie,
    formToken: Redacted.Redacted<string>,
    keys: ReadonlyArray<string>
  ) {
    if (Option.isNone(cookie)) return yield* new StateInvalid()
    if (!(yield* secrets.isFormToken(cookie.value, formToken))) return yield* new StateInvalid()
    const name = yield* nameOf(cookie.value)
    const shown = yield* look(name)
    if (shown._tag === "Over") return { _tag: "Ended", session: shown.session } satisfies Ended
    if (shown._tag !== "Choosing") return yield* new StateInvalid()
    const { session } = shown
    const chosen = shown.candidates.filter(
      ({ networkAccountId, sealed }) => Option.isSome(sealed) && keys.includes(networkAccountId)
    )
    if (chosen.length === 0 || (Option.isSome(session.socialAccountId) && chosen.length > 1)) {
      const page = yield* toPage(session, shown.candidates, cookie.value)
      return { ...page, _tag: "NothingChosen" } satisfies NothingChosen
    }
    const connect = connectOf(connectors, session)
    const work = Effect.gen(function* () {
      const { answer, token } = yield* whenFree(name, decideChosen)
      if (answer._tag !== "Claimed") return answer
      const how =
        connect === undefined ? endedBy(notConfigured) : yield* admitCandidates(answer.session, connect, chosen)
      return yield* end(name, token, answer, how)
    })
    const outcome = yield* toTheEnd(work)
    if (outcome._tag !== "Over") return yield* new StateInvalid()
    return { _tag: "Ended", session: outcome.session } satisfies Ended
  })

  return { begin, callback, choices, choose }
})
