import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type { CredentialVault } from "../accounts/CredentialVault.ts"
import type { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { toBase32 } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { untilStored } from "../kernel/untilStored.ts"
import type { Connectors } from "../networks/Connectors.ts"
import { makeAdmitCandidates } from "./admitCandidates.ts"
import type { KeptCandidate } from "./ConnectAttempt.ts"
import { connectOf } from "./connectOf.ts"
import type { ConnectFailure, ConnectSession } from "./ConnectSession.ts"
import type { AttemptDecision, AttemptFacts, AttemptName, ConnectSessionStore } from "./ConnectSessionStore.ts"
import { type AttemptEnd, type AttemptLease, type BrowserAnswer, decideEnd, decideKept } from "./decideAttempt.ts"
import { type CallbackQuery, makeExchangeCode, refusalOf } from "./exchangeCode.ts"

interface Ports {
  readonly store: ConnectSessionStore["Service"]
  readonly accounts: SocialAccounts["Service"]
  readonly vault: CredentialVault["Service"]
  readonly connectors: Connectors["Service"]
  readonly random: SecureRandom["Service"]
}

type Claimed = Extract<BrowserAnswer, { readonly _tag: "Claimed" }>

/** How long nobody else works on an attempt; longer than a code's exchange may take. */
const lease = { seconds: 60 } as const

/** How often a reload looks whether the first one is done: 25 seconds in all. */
const looks = { every: "250 millis", atMost: 100 } as const

/** How long a browser waits for work; shorter than proxies let it, longer than a network may take for a code. */
const patience = Duration.seconds(28)

const endedBy = (failure: ConnectFailure): AttemptEnd => ({
  _tag: "End",
  status: failure.code === "denied" ? "denied" : "failed",
  accountIds: [],
  failure: Option.some(failure)
})

const notConfigured: ConnectFailure = { code: "provider_error", detail: "this host has no app of the network any more" }

/** The work on attempts: who does it, and how it ends. */
export const makeAttemptWork = Effect.fnUntraced(function* (ports: Ports) {
  const { connectors, random, store, vault } = ports
  const exchangeCode = makeExchangeCode(vault)
  const admitCandidates = makeAdmitCandidates(ports)
  const scope = yield* Effect.scope

  const change = (name: AttemptName, decide: (facts: AttemptFacts) => AttemptDecision<BrowserAnswer>) =>
    Effect.map(
      store.change(name, decide),
      Option.getOrElse((): BrowserAnswer => ({ _tag: "Invalid" }))
    )

  /** Asks until nobody else works on the attempt; `Running` if that takes too long. */
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
    const answer: BrowserAnswer = { _tag: "Running" }
    return { answer, token }
  })

  /** Stores how the work ended; what a network gave once must not be lost. */
  const end = Effect.fnUntraced(function* (name: AttemptName, token: string, session: ConnectSession, how: AttemptEnd) {
    if (how._tag === "End" && Option.isSome(how.failure)) {
      const { code, detail } = how.failure.value
      const about = { session_id: session.id, workspace_id: session.workspaceId, network: session.network }
      yield* Effect.logInfo("a person could not connect all that was asked for", { ...about, code, detail })
    }
    return yield* untilStored(change(name, decideEnd(token, how, yield* DateTime.now)))
  })

  /** Connects what was chosen, for the holder of a lease. */
  const admit = Effect.fnUntraced(function* (
    name: AttemptName,
    token: string,
    session: ConnectSession,
    chosen: ReadonlyArray<KeptCandidate>
  ) {
    const connect = connectOf(connectors, session)
    const how = connect === undefined ? endedBy(notConfigured) : yield* admitCandidates(session, connect, chosen)
    return yield* end(name, token, session, how)
  })

  /** Whether the person is asked which accounts are to be connected. */
  const isChoice = (session: ConnectSession, candidates: ReadonlyArray<KeptCandidate>): boolean =>
    candidates.length !== 1 || connectOf(connectors, session)?.alwaysChooses !== false

  /** What comes of the network's answer: accounts to choose from, or the end. */
  const receive = Effect.fnUntraced(function* (
    name: AttemptName,
    token: string,
    { attempt, session }: Claimed,
    query: CallbackQuery
  ): Effect.fn.Return<BrowserAnswer, StoreUnavailable> {
    const refusal = refusalOf(query)
    if (Option.isSome(refusal)) return yield* end(name, token, session, endedBy(refusal.value))
    const connect = connectOf(connectors, session)
    if (connect === undefined) return yield* end(name, token, session, endedBy(notConfigured))
    const exchanged = yield* Effect.result(exchangeCode(session, attempt, connect, query["code"] ?? ""))
    if (exchanged._tag === "Failure") return yield* end(name, token, session, endedBy(exchanged.failure))
    const candidates = exchanged.success
    if (isChoice(session, candidates)) return yield* end(name, token, session, { _tag: "Choose", candidates })
    const kept = yield* untilStored(change(name, decideKept(token, candidates)))
    return kept._tag === "Claimed" ? yield* admit(name, token, session, candidates) : kept
  })

  return {
    change,
    whenFree,
    receive,
    admit,
    isChoice,
    /** Goes on when the browser is closed or reloads: a code is good for one exchange. `none`: it is not done yet. */
    toTheEnd: <A, E>(work: Effect.Effect<A, E>): Effect.Effect<Option.Option<A>, E> =>
      Effect.flatMap(Effect.forkIn(work, scope), (fiber) => Effect.timeoutOption(Fiber.join(fiber), patience))
  }
})
