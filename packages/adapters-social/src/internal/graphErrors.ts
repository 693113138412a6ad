import { AuthExpired, RateLimited, Rejected, Unavailable } from "@loopbox/core/connectors/ConnectorErrors"
import type { ReadFailed } from "@loopbox/core/connectors/ConnectorErrors"
import type { Network } from "@loopbox/core/connectors/Source"
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { failureText } from "./failureText.ts"
import type { JsonAnswer } from "./NetworkClient.ts"
import { parseJson } from "./parseJson.ts"
import { asArray, Count, OptionalCount, OptionalFlag, OptionalName, OptionalText, reader } from "./payload.ts"
import { inMinutes, latest, retryAfter } from "./retryAt.ts"

const readError = reader(
  Schema.Struct({
    code: Count,
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
  ["24/4279009", upstream]
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
  [1390008, rejected("blocked")]
])

const verdictOf = (code: number, subcode: Option.Option<number>, isTransient: boolean, status: number): Verdict => {
  const both = Option.flatMap(subcode, (sub) => Option.fromUndefinedOr(bySubcode.get(`${code}/${sub}`)))
  if (Option.isSome(both)) return both.value
  const one = byCode.get(code)
  if (one !== undefined) return one
  if (code >= 80_000 && code < 81_000) return rate
  if (code >= 200 && code <= 299) return auth("permission")
  return isTransient || status >= 500 ? upstream : rejected("other")
}

const readUsage = reader(Schema.Struct({ estimated_time_to_regain_access: OptionalCount }))

/** When Meta says that access comes back: the longest wait of all accounts and kinds in the header. */
const regainAt = (header: string | undefined, now: DateTime.Utc): Option.Option<DateTime.Utc> => {
  const parsed = parseJson(new TextEncoder().encode(header ?? ""))
  if (Result.isFailure(parsed) || !Predicate.isObject(parsed.success)) return Option.none()
  const minutes = Object.values(parsed.success)
    .flatMap(asArray)
    .flatMap((usage) => {
      const read = readUsage(usage)
      return Result.isSuccess(read) ? Option.toArray(read.success.estimated_time_to_regain_access) : []
    })
  const most = Math.max(0, ...minutes)
  return most === 0 ? Option.none() : Option.some(inMinutes(most, now))
}

/** An answer of Meta or Threads that says no, as what it means; undefined when it says yes. */
export const graphFailure = (
  network: Network,
  { body, headers, status }: JsonAnswer,
  accessToken: Redacted.Redacted<string>,
  now: DateTime.Utc
): ReadFailed | undefined => {
  const said = Predicate.isObject(body) ? body["error"] : undefined
  if (said === undefined && status >= 200 && status < 300) return undefined
  const read = readError(said)
  if (Result.isFailure(read)) return bareFailure(network, status, headers, now)
  const { code, error_subcode, fbtrace_id, is_transient, message } = read.success
  const shared = {
    network,
    networkCode: Option.some(
      Option.match(error_subcode, { onNone: () => String(code), onSome: (sub) => `${code}/${sub}` })
    ),
    detail: failureText(
      `${Option.getOrElse(message, () => "")} (trace ${Option.getOrElse(fbtrace_id, () => "none")})`,
      accessToken
    )
  }
  const verdict = verdictOf(code, error_subcode, Option.isSome(is_transient), status)
  switch (verdict._tag) {
    case "Rejected":
      return new Rejected({ ...shared, reason: verdict.reason })
    case "AuthExpired":
      return new AuthExpired({ ...shared, reason: verdict.reason, missingScopes: [] })
    case "Unavailable":
      return new Unavailable({ ...shared, reason: verdict.reason })
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
  return status === 429
    ? new RateLimited({ ...shared, retryAt: retryAfter(headers["retry-after"], now) })
    : new Unavailable({ ...shared, reason: status >= 500 || status === 408 ? "upstream" : "unreadable" })
}
