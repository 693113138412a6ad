import { AuthExpired, RateLimited, Rejected, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { failureText } from "../calls/failureText.ts"
import type { JsonAnswer } from "../calls/NetworkClient.ts"
import { asArray, OptionalText, reader } from "../payloads/payload.ts"
import { latest, resetAt, retryAfter } from "../calls/retryAt.ts"

const readProblem = reader(Schema.Struct({ title: OptionalText, detail: OptionalText, type: OptionalText }))

interface Problem {
  /** `resource-not-found`, or a title where X gives no type. */
  readonly name: string
  readonly detail: string
}

/** The body itself, or the first of its `errors`. */
const problemOf = (body: unknown): Problem => {
  const errors = Predicate.isObject(body) ? asArray(body["errors"]) : []
  const read = readProblem(errors[0] ?? body)
  if (Result.isFailure(read)) return { name: "", detail: "" }
  const { detail, title, type } = read.success
  const name = Option.getOrElse(type, () => "about:blank")
  return {
    name: name.includes("/problems/") ? name.slice(name.lastIndexOf("/") + 1) : Option.getOrElse(title, () => ""),
    detail: Option.getOrElse(
      Option.orElse(detail, () => title),
      () => ""
    )
  }
}

/** What a 403 is about. X has no code for it, so stable fragments of its text decide (social-networks.md §2.3). */
const forbidden = (detail: string): Rejected["reason"] => {
  const text = detail.toLowerCase()
  if (text.includes("duplicate content")) return "duplicate"
  if (text.includes("mentioned or otherwise engaged")) return "not_eligible"
  if (text.includes("deleted or not visible")) return "gone"
  return text.includes("account is") && text.includes("locked") ? "blocked" : "other"
}

/** Names of scopes that X's sentence has, as in `… requires tweet.write`. */
const missingScopesIn = (detail: string): ReadonlyArray<string> => [
  ...new Set(detail.match(/\b(?:tweet|users|offline)\.(?:read|write|access)\b/g) ?? [])
]

/** X's word that an object is not there. That it may not be seen proves nothing. */
const notFound = "resource-not-found"

/** X's word that the account may not see an object. */
export const notAuthorized = "not-authorized-for-resource"

/** Whether a failure says in so many words that an object is gone. */
export const isProvenGone = (error: ReadFailed): boolean =>
  error._tag === "Rejected" && Option.exists(error.networkCode, (code) => code === notFound || code === "404")

/** The answer to who wants to change or delete an object: that it may not do so is a refusal, and the object is still there. */
export const asRefusal = (error: Rejected): Rejected => {
  const { detail, network, networkCode } = error
  return Option.contains(networkCode, notAuthorized)
    ? new Rejected({ detail, network, networkCode, reason: "other" })
    : error
}

/** An object or a page of objects; a page may be empty. */
const hasData = (body: unknown): boolean =>
  Predicate.isObject(body) &&
  (Predicate.isObject(body["data"]) || Array.isArray(body["data"]) || Predicate.isObject(body["meta"]))

/** The moments at which X's counters that are used up begin anew. */
const resets = (headers: JsonAnswer["headers"], now: DateTime.Utc): Option.Option<DateTime.Utc> =>
  latest(
    resetAt(headers["x-rate-limit-reset"], now),
    ...["x-user-limit-24hour", "x-app-limit-24hour"]
      .filter((counter) => headers[`${counter}-remaining`] === "0")
      .map((counter) => resetAt(headers[`${counter}-reset`], now))
  )

/** An answer of X that says no, as what it means; undefined when it has data, be it beside errors. */
export const xFailure = (
  { body, headers, status }: JsonAnswer,
  accessToken: Redacted.Redacted<string>,
  now: DateTime.Utc
): ReadFailed | undefined => {
  if (status >= 200 && status < 300 && hasData(body)) return undefined
  const problem = problemOf(body)
  const shared = {
    network: "x" as const,
    networkCode: Option.some(problem.name === "" ? String(status) : problem.name),
    detail: failureText(`status ${status}: ${problem.detail}`, accessToken)
  }
  const rejected = (reason: Rejected["reason"]) => new Rejected({ ...shared, reason })
  const unavailable = (reason: Unavailable["reason"]) => new Unavailable({ ...shared, reason })
  if (problem.name === notFound || status === 404) return rejected("gone")
  if (problem.name === notAuthorized) return rejected("gone")
  if (status === 429) {
    const retryAt = latest(resets(headers, now), retryAfter(headers["retry-after"], now))
    return new RateLimited({ ...shared, retryAt })
  }
  if (status === 401) return new AuthExpired({ ...shared, reason: "token", missingScopes: [] })
  if (status === 402) return unavailable("source")
  if (/permission|scope/.test(problem.name)) {
    return new AuthExpired({ ...shared, reason: "permission", missingScopes: missingScopesIn(problem.detail) })
  }
  if (status === 403) return rejected(forbidden(problem.detail))
  if (status >= 500 || status === 408 || status === 409 || status === 425) return unavailable("upstream")
  return status >= 400 ? rejected("invalid") : unavailable("unreadable")
}
