import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { CredentialVault } from "../accounts/CredentialVault.ts"
import type { ConnectCandidate, Hindrance, NetworkConnect } from "../networks/NetworkConnect.ts"
import type { ConnectAttempt, KeptCandidate } from "./ConnectAttempt.ts"
import type { ConnectFailure, ConnectFailureCode, ConnectSession } from "./ConnectSession.ts"

/** What a network sends back with the browser: the members of the query by name. */
export type CallbackQuery = Readonly<Record<string, string>>

/** How long a browser waits for a network that does not answer. */
const patience = Duration.seconds(25)

/** Accounts that one person may choose from; the rest is left out. */
const mostCandidates = 500

const failed = (code: ConnectFailureCode, detail: string): ConnectFailure => ({ code, detail })

/** A word of a query as it may be shown and logged: anyone may have written it. */
const shown = (word: string | undefined): string =>
  word !== undefined && /^[\w./ -]{1,64}$/.test(word) ? word : "unreadable"

/**
 * Why there is no code, if there is none. `access_denied` is a person's no; Meta says the same of an app in development
 * mode (write A3.2).
 */
export const refusalOf = (query: CallbackQuery): Option.Option<ConnectFailure> => {
  const { code, error } = query
  if (error === "access_denied") return Option.some(failed("denied", shown(query["error_reason"] ?? error)))
  if (error !== undefined) return Option.some(failed("provider_error", shown(error)))
  if (code !== undefined && code !== "") return Option.none()
  return Option.some(failed("provider_error", `no code came, error_code ${shown(query["error_code"])}`))
}

const codeOf: Readonly<Record<Hindrance, ConnectFailureCode>> = {
  page_permission_required: "page_permission_required",
  page_token_missing: "page_permission_required",
  account_not_eligible: "account_not_eligible"
}

/** Why none of the accounts can be connected, if none can. */
const hindranceOf = (candidates: ReadonlyArray<ConnectCandidate>): Option.Option<ConnectFailure> => {
  if (candidates.length === 0) return Option.some(failed("no_pages", "the person has no account, or allowed none"))
  if (candidates.some(canBeChosen)) return Option.none()
  const hindrances = candidates.flatMap(({ hindrance }) => Option.toArray(hindrance))
  const isRole = hindrances.length === 0 || hindrances.some((one) => codeOf[one] === "page_permission_required")
  return Option.some(
    failed(
      isRole ? "page_permission_required" : "account_not_eligible",
      `${candidates.length} accounts, none can be connected: ${Array.from(new Set(hindrances)).join(", ")}`
    )
  )
}

const canBeChosen = ({ hindrance, token }: ConnectCandidate): boolean =>
  Option.isNone(hindrance) && Option.isSome(token)

const once = (candidates: ReadonlyArray<ConnectCandidate>): ReadonlyArray<ConnectCandidate> =>
  Array.from(new Map(candidates.map((one) => [one.networkAccountId, one])).values()).slice(0, mostCandidates)

/** Exchanges the code; fails with the reason for which there is no account to choose. Sends the code once at most. */
export const makeExchangeCode = (vault: CredentialVault["Service"]) => {
  const seal = Effect.fnUntraced(function* (session: ConnectSession, candidate: ConnectCandidate) {
    const { token, ...names } = candidate
    const owner = { workspaceId: session.workspaceId, accountId: session.id }
    const usable = canBeChosen(candidate) ? token : Option.none()
    const sealed = yield* Effect.transposeOption(Option.map(usable, (one) => vault.seal(owner, one)))
    const kept: KeptCandidate = { ...names, sealed }
    return kept
  })

  return Effect.fnUntraced(function* (
    session: ConnectSession,
    attempt: ConnectAttempt,
    connect: NetworkConnect,
    code: string
  ) {
    const owner = { workspaceId: session.workspaceId, accountId: session.id }
    const verifier = yield* vault
      .open(owner, attempt.sealedVerifier)
      .pipe(Effect.mapError(() => failed("provider_error", "the attempt can't be opened by the keys of this host")))
    const exchange = {
      code: Redacted.make(code),
      redirectUri: attempt.redirectUri,
      verifier: verifier.accessToken,
      features: session.features
    }
    const found = yield* connect.exchange(exchange).pipe(
      Effect.mapError(({ detail, networkCode, reason }) =>
        failed(reason, [...Option.toArray(networkCode), detail].join(": ").slice(0, 500))
      ),
      Effect.timeoutOption(patience),
      Effect.catchDefect((defect) =>
        Effect.andThen(
          Effect.logError("a code could not be exchanged", defect),
          Effect.fail(failed("provider_error", "an error of this host"))
        )
      )
    )
    if (Option.isNone(found)) return yield* Effect.fail(failed("provider_error", "the network did not answer in time"))
    const candidates = once(found.value)
    const hindrance = hindranceOf(candidates)
    if (Option.isSome(hindrance)) return yield* Effect.fail(hindrance.value)
    return yield* Effect.forEach(candidates, (candidate) => seal(session, candidate))
  })
}
