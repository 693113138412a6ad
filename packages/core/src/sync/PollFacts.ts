import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { ProblemCode } from "../accounts/AccountHealth.ts"
import type { SyncCode, SyncError } from "./SyncRun.ts"

export type PollProblem = Extract<
  ProblemCode,
  "rate_limited" | "permission_missing" | "network_unavailable" | "plan_excludes"
>

/** Why a poll read not everything. */
export interface PollFailure {
  readonly code: PollProblem
  readonly retryAt: Option.Option<DateTime.Utc>
}

/** What a poll tells of how well its account is. */
export interface PollFacts {
  /** One of each code at most. */
  readonly failures: ReadonlyArray<PollFailure>
  /** Whether the network was asked. */
  readonly isRead: boolean
}

/** An account that must be connected again says so by its status. */
const problemOf: Record<SyncCode, PollProblem | undefined> = {
  RATE_LIMITED: "rate_limited",
  RECONNECT_REQUIRED: undefined,
  PERMISSION_MISSING: "permission_missing",
  SOURCE_UNAVAILABLE: "network_unavailable",
  UPSTREAM_UNAVAILABLE: "network_unavailable",
  UPSTREAM_INVALID: "network_unavailable"
}

/** The failures of a poll, by what is wrong with the account. Pure. */
export const failuresOf = (errors: ReadonlyArray<SyncError>): ReadonlyArray<PollFailure> => {
  const byCode = new Map<PollProblem, PollFailure>()
  for (const { code, retryAt } of errors) {
    const problem = problemOf[code]
    if (problem !== undefined && !byCode.has(problem)) byCode.set(problem, { code: problem, retryAt })
  }
  return Array.from(byCode.values())
}

/** Of an account whose plan leaves its network out: it is not read. */
export const excludedByPlan: PollFacts = {
  failures: [{ code: "plan_excludes", retryAt: Option.none() }],
  isRead: false
}
