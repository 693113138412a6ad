import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { AccountUnusable } from "../accounts/AccountErrors.ts"
import type { TargetFailure } from "../items/ShownPost.ts"
import type { AuthExpired, RateLimited, ReadFailed, Rejected, Unavailable } from "../networks/ConnectorErrors.ts"
import type { NotYet, PreparationFailed, PublishFailureCode } from "../networks/publishing/PublishErrors.ts"

const messages: Readonly<Record<PublishFailureCode, string>> = {
  too_late: "It could not begin within 15 minutes of its time, so it was not published.",
  quota_exceeded: "The network's quota of posts is used up.",
  media_fetch_failed: "The network could not load a file from its address.",
  media_rejected: "The network does not accept a file.",
  container_expired: "What was prepared at the network expired before it was published.",
  processing_timeout: "The network did not finish its work on the files in time.",
  account_not_found: "The account belongs to another managed user by now, so nothing of this post goes out on it.",
  reconnect_required: "The account must be connected again.",
  missing_scopes: "The account's token lacks a permission.",
  rate_limited: "The network takes no more calls for now.",
  duplicate_content: "The account published the same before.",
  spam_blocked: "The network's protection against abuse refused it.",
  network_unavailable: "The network could not be reached.",
  rejected: "The network refused it."
}

/** What publishing the same again would not change. */
const finalCodes: ReadonlyArray<PublishFailureCode> = [
  "media_rejected",
  "account_not_found",
  "duplicate_content",
  "rejected"
]

export const failureOf = (
  code: PublishFailureCode,
  known: Partial<Pick<TargetFailure, "networkCode" | "retryAt">> = {}
): TargetFailure => ({
  code,
  message: messages[code],
  retryable: !finalCodes.includes(code),
  networkCode: known.networkCode ?? Option.none(),
  retryAt: known.retryAt ?? Option.none()
})

const codeOfRejection = ({ reason }: Rejected): PublishFailureCode => {
  if (reason === "duplicate") return "duplicate_content"
  return reason === "blocked" ? "spam_blocked" : "rejected"
}

/** A failure after which nothing is published, as its customer sees it. */
export const failureOfError = (error: ReadFailed | AccountUnusable | PreparationFailed | NotYet): TargetFailure => {
  switch (error._tag) {
    case "AccountUnusable":
      return failureOf(error.reason === "other_owner" ? "account_not_found" : "reconnect_required")
    case "AuthExpired":
      return failureOf(codeOfExpiry(error), error)
    case "Rejected":
      return failureOf(codeOfRejection(error), error)
    case "PreparationFailed":
      return failureOf(error.code, error)
    case "RateLimited":
      return failureOf("rate_limited", { networkCode: error.networkCode, retryAt: error.retryAt })
    case "Unavailable":
      return failureOf("network_unavailable", { networkCode: error.networkCode, retryAt: error.retryAt })
    case "NotYet":
      return failureOf("processing_timeout", error)
  }
}

const codeOfExpiry = ({ reason }: AuthExpired): PublishFailureCode =>
  reason === "permission" ? "missing_scopes" : "reconnect_required"

/** When a call is repeated that the network did not take: at its own time, or after 5 s, 10 s, 20 s … a minute. */
export const retryAtOf = (error: RateLimited | Unavailable, misses: number, now: DateTime.Utc): DateTime.Utc =>
  Option.getOrElse(error.retryAt, () =>
    DateTime.add(now, { seconds: error._tag === "RateLimited" ? 60 : Math.min(5 * 2 ** Math.min(misses, 4), 60) })
  )
