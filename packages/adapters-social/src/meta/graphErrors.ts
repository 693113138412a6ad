import { AuthExpired, OutcomeUnknown, RateLimited, Rejected, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import type { ReadFailed, WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { Network } from "../names.ts"
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { failureText } from "../calls/failureText.ts"
import { regainAt } from "./graphUsage.ts"
import { isUndecided } from "../calls/NetworkClient.ts"
import type { JsonAnswer } from "../calls/NetworkClient.ts"
import { notResolvable } from "../calls/notResolvable.ts"
import { Integer, OptionalCount, OptionalFlag, OptionalName, OptionalText, reader } from "../payloads/payload.ts"
import { latest, retryAfter } from "../calls/retryAt.ts"

const readError = reader(
  Schema.Struct({
    code: Integer,
    error_subcode: OptionalCount,
    message: OptionalText,
    fbtrace_id: OptionalName,
    is_transient: OptionalFlag
  })
)

/** What a code means for whoever called. */
type Verdict =
  | { readonly _tag: "Rejected"; readonly reason: Rejected["reason"] }
  | { readonly _tag: "AuthExpired"; readonly reason: AuthExpired["reason"] }
  | { readonly _tag: "Unavailable"; readonly reason: Unavailable["reason"] }
  | { readonly _tag: "RateLimited" }

const rejected = (reason: Rejected["reason"]): Verdict => ({ _tag: "Rejected", reason })
const auth = (reason: AuthExpired["reason"]): Verdict => ({ _tag: "AuthExpired", reason })
const upstream: Verdict = { _tag: "Unavailable", reason: "upstream" }
const rate: Verdict = { _tag: "RateLimited" }

/** Code and subcode together, where the subcode changes the meaning (social-networks.md §2.3). */
const bySubcode: ReadonlyMap<string, Verdict> = new Map([
  ["10/2018278", rejected("window_closed")],
  ["10/2534022", rejected("window_closed")],
  ["10/2018065", rejected("other")],
  ["10/2018108", rejected("unreachable")],
  ["10/1893063", rejected("blocked")],
  ["200/1545041", rejected("unreachable")],
  ["551/1545041", rejected("unreachable")],
  ["200/2534041", auth("permission")],
  ["100/33", rejected("gone")],
  ["100/2018001", rejected("unreachable")],
  ["100/2534014", rejected("unreachable")],
  ["100/2534029", rejected("unreachable")],
  [notResolvable, upstream]
])

const byCode: ReadonlyMap<number, Verdict> = new Map([
  [1, upstream],
  [2, upstream],
  [3, auth("permission")],
  [4, rate],
  [10, auth("permission")],
  [17, rate],
  [32, rate],
  [100, rejected("invalid")],
  [102, auth("token")],
  [190, auth("token")],
  [341, rate],
  [368, rejected("blocked")],
  [506, rejected("duplicate")],
  [551, rejected("unreachable")],
  [613, rate],
  [10900, rejected("already_replied")],
  [10902, rejected("other")],
  [10903, rejected("unreachable")],
  [1390008, rejected("blocked")]
])

const verdictOf = (code: number, subcode: Option.Option<number>, isTransient: boolean, status: number): Verdict => {
  const both = Option.flatMap(subcode, (sub) => Option.fromUndefinedOr(bySubcode.get(`${code}/${sub}`)))
  if (Option.isSome(both)) return both.value
  const one = byCode.get(code)
  if (one !== undefined) return one
  if (code < 1) return upstream
  if (code >= 80_000 && code < 81_000) return rate
  if (code >= 200 && code <= 299) return auth("permission")
  return isTransient || status >= 500 ? upstream : rejected("other")
}

/** What a call knows better than the table. */
export interface GraphContext {
  /** Names of the permissions that the call needs, told when the network names none. */
  readonly scopes?: ReadonlyArray<string> | undefined
  /** Codes that mean that the source does not work for this account, whatever they mean elsewhere. */
  readonly sourceDown?: ReadonlySet<string> | undefined
}

/** Permissions as Meta's texts name them. */
const scopeName = /\b(?:pages|instagram|threads)_[a-z_]*[a-z]\b/g

const missingScopes = (message: string, { scopes = [] }: GraphContext): ReadonlyArray<string> => {
  const named = [...new Set(message.match(scopeName))]
  return named.length > 0 ? named : scopes
}

/** The error in an answer, if it is one of Meta's. */
const errorIn = (body: unknown) => {
  const said = Predicate.isObject(body) ? body["error"] : undefined
  return said === undefined ? undefined : readError(said)
}

/** An answer of Meta or Threads that says no, as what it means; undefined when it says yes. */
export const graphFailure = (
  network: Network,
  { body, headers, status }: JsonAnswer,
  accessToken: Redacted.Redacted<string>,
  now: DateTime.Utc,
  context: GraphContext = {}
): ReadFailed | undefined => {
  const read = errorIn(body)
  if (read === undefined && status >= 200 && status < 300) return undefined
  if (read === undefined || Result.isFailure(read)) return bareFailure(network, status, headers, now)
  const { code, error_subcode, fbtrace_id, is_transient } = read.success
  const message = Option.getOrElse(read.success.message, () => "")
  const networkCode = Option.match(error_subcode, { onNone: () => String(code), onSome: (sub) => `${code}/${sub}` })
  const shared = {
    network,
    networkCode: Option.some(networkCode),
    detail: failureText(`${message} (trace ${Option.getOrElse(fbtrace_id, () => "none")})`, accessToken)
  }
  const verdict: Verdict =
    context.sourceDown?.has(networkCode) === true
      ? { _tag: "Unavailable", reason: "source" }
      : verdictOf(code, error_subcode, Option.isSome(is_transient), status)
  switch (verdict._tag) {
    case "Rejected":
      return new Rejected({ ...shared, reason: verdict.reason })
    case "AuthExpired":
      return new AuthExpired({
        ...shared,
        reason: verdict.reason,
        missingScopes: verdict.reason === "permission" ? missingScopes(message, context) : []
      })
    case "Unavailable":
      return new Unavailable({ ...shared, reason: verdict.reason, retryAt: retryAfter(headers["retry-after"], now) })
    case "RateLimited":
      return new RateLimited({
        ...shared,
        retryAt: latest(regainAt(headers["x-business-use-case-usage"], now), retryAfter(headers["retry-after"], now))
      })
  }
}

/** A failure without the network's own words: something between us and it answered, or it is in trouble. */
const bareFailure = (
  network: Network,
  status: number,
  headers: JsonAnswer["headers"],
  now: DateTime.Utc
): ReadFailed => {
  const shared = { network, networkCode: Option.none(), detail: `status ${status}` }
  const retryAt = retryAfter(headers["retry-after"], now)
  return status === 429
    ? new RateLimited({ ...shared, retryAt })
    : new Unavailable({ ...shared, retryAt, reason: isUndecided(status) ? "upstream" : "unreadable" })
}

/**
 * The same for a write. Codes 1 and 2 and those below, what Meta calls transient, and statuses that decide nothing leave
 * open what became of it, whatever else the answer says; other refusals prove that nothing was done (social-networks.md
 * §8).
 */
export const graphWriteFailure = (
  network: Network,
  answer: JsonAnswer,
  accessToken: Redacted.Redacted<string>,
  now: DateTime.Utc,
  context: GraphContext = {}
): WriteFailed | undefined => {
  const failure = graphFailure(network, answer, accessToken, now, context)
  if (failure === undefined) return undefined
  const read = errorIn(answer.body)
  const isOpen =
    read === undefined || Result.isFailure(read)
      ? answer.status < 400
      : read.success.code <= 2 || (Option.isSome(read.success.is_transient) && failure._tag !== "RateLimited")
  if (!isOpen && !isUndecided(answer.status)) return failure
  return new OutcomeUnknown({ network, networkCode: failure.networkCode, detail: failure.detail })
}
