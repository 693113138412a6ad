import type { Network } from "../../names.ts"
import * as DateTime from "effect/DateTime"
import type { ApiFault } from "./ApiFaults.ts"
import { graphError } from "../graph/graphAnswers.ts"
import type { SandboxAnswer } from "../Operation.ts"
import { problem, unauthorized } from "../x/xAnswers.ts"

/** How an exchange ends: with an answer, never, or with a broken connection. */
export type Ending =
  | { readonly _tag: "Answer"; readonly answer: SandboxAnswer }
  | { readonly _tag: "Hang" }
  | { readonly _tag: "Reset" }

const page = "<!DOCTYPE html><html><head><title>Sorry, something went wrong</title></head><body></body></html>"

/** Faults after which the network has done what it was asked. */
const isAfter = (kind: ApiFault["kind"]): boolean =>
  kind.endsWith("_after") || kind === "truncated" || kind === "error_though_sent"

const serverError = (network: Network, code: number, subcode?: number): SandboxAnswer =>
  network === "x"
    ? problem(503, "Service Unavailable", "Service Unavailable")
    : graphError(500, code, subcode, `(#${code}) An unexpected error has occurred. Please retry your request later.`)

const rateLimit = (network: Network, wait_s: number, at: DateTime.Utc): SandboxAnswer => {
  const after = wait_s === 0 ? {} : { "retry-after": String(wait_s) }
  if (network === "x") {
    const reset = Math.ceil(DateTime.toEpochMillis(at) / 1000) + wait_s
    const limits = { "x-rate-limit-remaining": "0", ...(wait_s === 0 ? {} : { "x-rate-limit-reset": String(reset) }) }
    return { ...problem(429, "Too Many Requests", "Too Many Requests"), headers: { ...limits, ...after } }
  }
  const usage = { call_count: 100, total_cputime: 25, total_time: 25 }
  return graphError(400, 4, undefined, "(#4) Application request limit reached", {
    "x-app-usage": JSON.stringify(usage),
    ...after
  })
}

const refusal = ({ code = 100, message, network, status, subcode }: ApiFault): SandboxAnswer => {
  const text = message ?? `(#${code}) The sandbox was told to refuse this.`
  return network === "x" ? problem(status ?? 403, "Forbidden", text) : graphError(status ?? 400, code, subcode, text)
}

const half = ({ body, ...answer }: SandboxAnswer): SandboxAnswer => {
  const text = JSON.stringify(body)
  return { ...answer, body: text.slice(0, Math.ceil(text.length / 2)) }
}

/** What a fault makes of a request; `carryOut` does what was asked, where the fault comes after that. */
export const endingOf = (fault: ApiFault, carryOut: () => SandboxAnswer, at: DateTime.Utc): Ending => {
  const { kind, network, retry_after_s = 30 } = fault
  const truth = isAfter(kind) ? carryOut() : undefined
  const answer = (answer: SandboxAnswer): Ending => ({ _tag: "Answer", answer })
  switch (kind) {
    case "rate_limit":
      return answer(rateLimit(network, retry_after_s, at))
    case "server_error":
    case "server_error_after":
      return answer(serverError(network, 2))
    case "hang":
    case "hang_after":
      return { _tag: "Hang" }
    case "reset":
    case "reset_after":
      return { _tag: "Reset" }
    case "truncated":
      return answer(truth === undefined ? serverError(network, 2) : half(truth))
    case "html":
    case "html_after":
      return answer({ status: 200, body: page })
    case "token_expired":
      return answer(
        network === "x"
          ? unauthorized
          : graphError(400, 190, 463, "Error validating access token: Session has expired.")
      )
    case "scope_removed":
      return answer(
        network === "x"
          ? problem(403, "Forbidden", "You are not permitted to perform this action.")
          : graphError(403, 10, undefined, "(#10) Application does not have permission for this action")
      )
    case "credits_depleted":
      return answer(
        network === "x"
          ? problem(
              402,
              "CreditsDepleted",
              "Your enrolled account does not have any credits to fulfill this request.",
              "https://api.x.com/2/problems/credits"
            )
          : carryOut()
      )
    case "refused":
    case "refused_after":
      return answer(refusal(fault))
    case "fails_later":
      return answer(carryOut())
    case "error_though_sent":
      return answer(serverError(network, 1, 1_357_046))
  }
}
