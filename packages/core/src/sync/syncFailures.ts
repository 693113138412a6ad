import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type { ReadFailed } from "../networks/ConnectorErrors.ts"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import type { AccountSync, PollState, StopReason, SyncCode, SyncError, SyncStep } from "./SyncRun.ts"

/** How long a step is skipped after the network denied permission. */
const permissionPause = Duration.hours(24)
const sourcePause = Duration.hours(1)

/** Pause after a rate limit without a time. */
const ratePause = Duration.minutes(15)

/** The effect of a failure on the poll. `account`: no more calls; `step`: the other steps continue. */
export interface JudgedFailure {
  readonly error: SyncError
  readonly stops: "account" | "step"
  /** Until when the account or the step is skipped. */
  readonly until: Option.Option<DateTime.Utc>
}

const messages: Record<SyncCode, string> = {
  RATE_LIMITED: "The network limits how often this account is asked.",
  RECONNECT_REQUIRED: "The network no longer takes the account's token. Connect the account again.",
  PERMISSION_MISSING: "The account's token lacks a permission for this. Connect the account again with it.",
  SOURCE_UNAVAILABLE: "The network does not offer this for the account now.",
  UPSTREAM_UNAVAILABLE: "The network did not answer.",
  UPSTREAM_INVALID: "The network's answer could not be read."
}

const tell = (step: SyncStep, code: SyncCode, retryAt: Option.Option<DateTime.Utc> = Option.none()): SyncError => ({
  step,
  code,
  message: messages[code],
  retryAt
})

/** The error of a poll that timed out. */
export const unanswered = (step: SyncStep): SyncError => tell(step, "UPSTREAM_UNAVAILABLE")

/** The network permanently refused a call that every poll makes. */
export const refused = (step: SyncStep): JudgedFailure => ({
  error: tell(step, "UPSTREAM_INVALID"),
  stops: "step",
  until: Option.none()
})

export const reconnectRequired = tell("token", "RECONNECT_REQUIRED")

/** Maps a failed read to the codes of api.md §3. */
export const judgeFailure = (step: SyncStep, failure: ReadFailed, now: DateTime.Utc): JudgedFailure => {
  const after = (pause: Duration.Duration) => DateTime.addDuration(now, pause)
  switch (failure._tag) {
    case "RateLimited": {
      const until = Option.getOrElse(failure.retryAt, () => after(ratePause))
      return { error: tell(step, "RATE_LIMITED", Option.some(until)), stops: "account", until: Option.some(until) }
    }
    case "AuthExpired":
      if (failure.reason === "token") return { error: reconnectRequired, stops: "account", until: Option.none() }
      return { error: tell(step, "PERMISSION_MISSING"), stops: "step", until: Option.some(after(permissionPause)) }
    case "Unavailable": {
      if (failure.reason === "upstream") {
        return { error: tell(step, "UPSTREAM_UNAVAILABLE", failure.retryAt), stops: "step", until: Option.none() }
      }
      if (failure.reason === "unreadable") {
        return { error: tell(step, "UPSTREAM_INVALID"), stops: "step", until: Option.none() }
      }
      const isCircuit = failure.reason === "circuit_open"
      const until = Option.getOrElse(failure.retryAt, () => after(isCircuit ? Duration.minutes(1) : sourcePause))
      const error = tell(step, "SOURCE_UNAVAILABLE", Option.some(until))
      return { error, stops: isCircuit ? "account" : "step", until: Option.some(until) }
    }
    case "Rejected":
      if (failure.reason === "blocked") {
        const until = Option.some(after(sourcePause))
        return { error: tell(step, "SOURCE_UNAVAILABLE", until), stops: "account", until }
      }
      return { error: tell(step, "UPSTREAM_INVALID"), stops: "step", until: Option.none() }
  }
}

/** The result of an account that is not called: it must wait, or must be connected again. */
export const doneWithoutCall = (
  { id, network, status }: SocialAccount,
  { wait }: PollState,
  nextPollAt: Option.Option<DateTime.Utc>,
  now: DateTime.Utc
): Option.Option<AccountSync> => {
  const error =
    status === "connected"
      ? Option.map(
          Option.filter(wait, ({ until }) => DateTime.isGreaterThan(until, now)),
          (waiting) => waiting.error
        )
      : Option.some(reconnectRequired)
  return Option.map(error, (one) => ({
    accountId: id,
    network,
    read: 0,
    newItems: 0,
    // A past time means that it is not polled automatically.
    nextPollAt:
      status === "connected" ? Option.filter(nextPollAt, (at) => DateTime.isGreaterThan(at, now)) : Option.none(),
    errors: [one],
    backfill: Option.none()
  }))
}

const stopReasons: Record<SyncCode, StopReason> = {
  RATE_LIMITED: "rate_limited",
  RECONNECT_REQUIRED: "reconnect_required",
  PERMISSION_MISSING: "reconnect_required",
  SOURCE_UNAVAILABLE: "upstream_failed",
  UPSTREAM_UNAVAILABLE: "upstream_failed",
  UPSTREAM_INVALID: "upstream_failed"
}

/** The stop reason of a backfill that failed. */
export const stopReasonOf = ({ code }: SyncError): StopReason => stopReasons[code]

/** The result of a backfill without a call. */
export const withoutReads = (done: AccountSync): AccountSync => {
  const [error] = done.errors
  const stopReason = error === undefined ? "upstream_failed" : stopReasonOf(error)
  return { ...done, backfill: Option.some({ read: 0, accepted: 0, duplicates: 0, suppressed: 0, stopReason }) }
}
