import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { SocialAccountId } from "../kernel/Ids.ts"
import type { ConnectAttempt, KeptCandidate } from "./ConnectAttempt.ts"
import { type ConnectFailure, ConnectSession, type ConnectStatus, hasExpired, sessionAt } from "./ConnectSession.ts"
import type { AttemptDecision, AttemptFacts, BegunAttempt } from "./ConnectSessionStore.ts"

/** The right to work on an attempt until a moment. */
export interface AttemptLease {
  readonly token: string
  readonly now: DateTime.Utc
  readonly until: DateTime.Utc
}

/**
 * What a browser gets that comes back.
 *
 * - `Invalid`: its `state` is used, out of date, or another browser's
 * - `Running`: the same answer is worked on; ask again later
 * - `Claimed`: the caller works on it now
 * - `Choosing`: the person chooses
 * - `Over`: the outcome
 */
export type BrowserAnswer =
  | { readonly _tag: "Invalid" }
  | { readonly _tag: "Running" }
  | { readonly _tag: "Claimed"; readonly session: ConnectSession; readonly attempt: ConnectAttempt }
  | {
      readonly _tag: "Choosing"
      readonly session: ConnectSession
      readonly attempt: ConnectAttempt
      readonly candidates: ReadonlyArray<KeptCandidate>
    }
  | { readonly _tag: "Over"; readonly session: ConnectSession }

type Decision = AttemptDecision<BrowserAnswer>

const invalid: Decision = { answer: { _tag: "Invalid" } }
const running: Decision = { answer: { _tag: "Running" } }

/** Whether a new attempt may begin. */
export const isOpen = (session: ConnectSession, now: DateTime.Utc): boolean =>
  session.status !== "completed" && !hasExpired(session, now)

/**
 * Whether no newer attempt takes the place of this one. One that the same browser began beside it does so when it comes
 * back from the network: a browser that loads a link ahead of its user, or a second click, takes nothing from a person
 * who is choosing.
 */
const isCurrent = ({ attempt, newer }: Pick<AttemptFacts, "attempt" | "newer">): boolean =>
  newer.every(({ progress }) => progress._tag === "Open" && progress.beside === attempt.stateDigest)

/** The attempt with which a browser is back from the network, by the digests of its cookies. */
const underWay = (
  attempts: ReadonlyArray<ConnectAttempt>,
  cookieDigests: ReadonlyArray<string>
): ConnectAttempt | undefined =>
  attempts.findLast(
    (attempt, index) =>
      cookieDigests.includes(attempt.cookieDigest) &&
      attempt.progress._tag !== "Open" &&
      attempt.progress._tag !== "Over" &&
      isCurrent({ attempt, newer: attempts.slice(index + 1) })
  )

/**
 * Opens a session for a new attempt of a browser that has some cookies; `none` if it is completed or expired. What was to
 * be chosen in an older attempt of another browser can't be chosen any more. A denied or failed session keeps its status
 * until the next outcome: programs of chats open links, too.
 */
export const decideBegin =
  (attempt: ConnectAttempt, cookieDigests: ReadonlyArray<string>, now: DateTime.Utc) =>
  (session: ConnectSession, attempts: ReadonlyArray<ConnectAttempt>): Option.Option<BegunAttempt> => {
    if (!isOpen(session, now)) return Option.none()
    const before = underWay(attempts, cookieDigests)
    if (before !== undefined) {
      return Option.some({ session, attempt: { ...attempt, progress: { _tag: "Open", beside: before.stateDigest } } })
    }
    const isChoosing = session.status === "choosing"
    return Option.some({
      session: isChoosing ? new ConnectSession({ ...session, status: "pending" }) : session,
      attempt
    })
  }

/** Only an attempt whose place no newer one takes can get on, and only as long as the session can. */
const canGoOn = (facts: AttemptFacts, now: DateTime.Utc): boolean => isCurrent(facts) && isOpen(facts.session, now)

/** The outcome of an attempt: the session's, or what the session was told when the attempt ended. */
const outcomeOf = ({ attempt, session }: AttemptFacts, now: DateTime.Utc): Decision => {
  if (attempt.progress._tag !== "Over") return invalid
  const { failure, status } = attempt.progress
  const isTold = status === "completed" || session.status === status
  return {
    answer: {
      _tag: "Over",
      session: isTold ? sessionAt(session, now) : new ConnectSession({ ...session, status, failure })
    }
  }
}

const claim = (facts: AttemptFacts, progress: ConnectAttempt["progress"]): Decision => {
  const attempt = { ...facts.attempt, progress }
  return { answer: { _tag: "Claimed", session: facts.session, attempt: facts.attempt }, attempt }
}

const isHeld = (until: DateTime.Utc, now: DateTime.Utc): boolean => DateTime.isGreaterThan(until, now)

/**
 * A browser comes back from the network. The first answer of an attempt is worked on; the same one again, which a reload
 * sends, gets the first outcome, and another one nothing. If whoever worked on it died, the same answer is worked on
 * again.
 */
export const decideCallback =
  (
    browser: {
      readonly network: string
      readonly cookieDigests: ReadonlyArray<string>
      readonly answer: string
    },
    lease: AttemptLease
  ) =>
  (facts: AttemptFacts): Decision => {
    const { attempt, session } = facts
    const { progress } = attempt
    const { now, token, until } = lease
    if (session.network !== browser.network || !browser.cookieDigests.includes(attempt.cookieDigest)) return invalid
    const exchanging = { _tag: "Exchanging", answer: browser.answer, token, until } as const
    if (progress._tag === "Open") return canGoOn(facts, now) ? claim(facts, exchanging) : invalid
    if (progress.answer !== browser.answer) return invalid
    switch (progress._tag) {
      case "Over":
        return outcomeOf(facts, now)
      case "Exchanging":
        if (isHeld(progress.until, now)) return running
        return canGoOn(facts, now) ? claim(facts, exchanging) : invalid
      case "Choosing":
      case "Admitting":
        return decideChoices(now)(facts)
    }
  }

/** The page of choices is asked for: again, or after what was chosen. */
export const decideChoices =
  (now: DateTime.Utc) =>
  (facts: AttemptFacts): Decision => {
    const { progress } = facts.attempt
    switch (progress._tag) {
      case "Open":
      case "Exchanging":
        return invalid
      case "Over":
        return outcomeOf(facts, now)
      case "Admitting":
        if (isHeld(progress.until, now)) return running
    }
    if (isCurrent(facts) && hasExpired(facts.session, now)) {
      return { answer: { _tag: "Over", session: sessionAt(facts.session, now) } }
    }
    if (!canGoOn(facts, now)) return invalid
    const { attempt, session } = facts
    return { answer: { _tag: "Choosing", session, attempt, candidates: progress.candidates } }
  }

/** The person has chosen. Until the lease expires, the form sent again waits for the outcome. */
export const decideChosen =
  ({ now, token, until }: AttemptLease) =>
  (facts: AttemptFacts): Decision => {
    const shown = decideChoices(now)(facts)
    const { progress } = facts.attempt
    if (shown.answer._tag !== "Choosing" || progress._tag === "Open" || progress._tag === "Exchanging") return shown
    const { candidates } = shown.answer
    return claim(facts, { _tag: "Admitting", answer: progress.answer, token, until, candidates })
  }

/**
 * What the network gave is stored before it is connected: a code is exchanged once, and if whoever works on it dies then,
 * the same answer of the browser goes on from here.
 */
export const decideKept =
  (token: string, candidates: ReadonlyArray<KeptCandidate>) =>
  (facts: AttemptFacts): Decision => {
    const { progress } = facts.attempt
    if (!("token" in progress) || progress.token !== token) return running
    return claim(facts, { ...progress, _tag: "Admitting", candidates })
  }

/** How the work on an attempt ends. */
export type AttemptEnd =
  | { readonly _tag: "Choose"; readonly candidates: ReadonlyArray<KeptCandidate> }
  | {
      readonly _tag: "End"
      readonly status: Extract<ConnectStatus, "completed" | "denied" | "failed">
      readonly accountIds: ReadonlyArray<SocialAccountId>
      readonly failure: Option.Option<ConnectFailure>
    }

/** The session after an attempt ended. An attempt whose place another one took tells only of a success. */
const afterEnd = (
  facts: AttemptFacts,
  { accountIds, failure, status }: Extract<AttemptEnd, { readonly _tag: "End" }>,
  now: DateTime.Utc
): ConnectSession => {
  const { session } = facts
  if (status === "completed") {
    return new ConnectSession({
      ...session,
      status,
      failure,
      accountIds: Array.from(new Set([...session.accountIds, ...accountIds])),
      completedAt: Option.some(Option.getOrElse(session.completedAt, () => now))
    })
  }
  return isCurrent(facts) && session.status !== "completed"
    ? new ConnectSession({ ...session, status, failure })
    : session
}

/**
 * Ends the work of the holder of a lease, also of one that expired, as long as nobody else works on the attempt.
 */
export const decideEnd =
  (token: string, end: AttemptEnd, now: DateTime.Utc) =>
  (facts: AttemptFacts): Decision => {
    const { attempt, session } = facts
    const { progress } = attempt
    if (!("token" in progress) || progress.token !== token) return running
    const { answer } = progress
    if (end._tag === "End") {
      const after = afterEnd(facts, end, now)
      const over = { _tag: "Over", answer, status: end.status, failure: end.failure } as const
      const changed = { ...attempt, progress: over }
      return { ...outcomeOf({ ...facts, session: after, attempt: changed }, now), session: after, attempt: changed }
    }
    if (!isCurrent(facts) || session.status === "completed") return invalid
    const { candidates } = end
    const choosing = new ConnectSession({ ...session, status: "choosing", failure: Option.none() })
    const shown: ConnectAttempt = { ...attempt, progress: { _tag: "Choosing", answer, candidates } }
    return {
      answer: { _tag: "Choosing", session: choosing, attempt: shown, candidates },
      session: choosing,
      attempt: shown
    }
  }
