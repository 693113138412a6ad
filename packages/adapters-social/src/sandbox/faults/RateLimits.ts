import type { Network } from "../../names.ts"
import * as DateTime from "effect/DateTime"
import { graphError } from "../graph/graphAnswers.ts"
import type { SandboxAnswer } from "../Operation.ts"
import { problem } from "../x/xAnswers.ts"

interface Window {
  readonly start_ms: number
  readonly used: number
}

/** Calls of one account in 15 minutes (social-networks.md §2.2). */
const xLimits: ReadonlyMap<string, number> = new Map([
  ["me", 75],
  ["create_tweet", 100],
  ["user_tweets", 900],
  ["tweet", 900],
  ["tweets", 900],
  ["user", 900]
])
const xOthers = 300
const xWindow_ms = 15 * 60_000
const metaWindow_ms = 24 * 3_600_000
const metaAppWindow_ms = 3_600_000

const mostWindows = 100_000

/** How Meta calls what an account's calls count for. */
const businessCase = (network: Network, operation: string): string => {
  if (network === "instagram") return "instagram"
  return ["conversations", "conversation", "messages", "message", "send"].includes(operation) ? "messenger" : "pages"
}

const businessCode: ReadonlyMap<string, number> = new Map([
  ["pages", 80_001],
  ["instagram", 80_002],
  ["messenger", 80_006]
])

const usageOf = (used: number, limit: number) => {
  const percent = Math.min(100, Math.floor((used * 100) / limit))
  return { call_count: percent, total_cputime: percent, total_time: percent }
}

const tooMany = (code: number): SandboxAnswer =>
  graphError(400, code, undefined, `(#${code}) There have been too many calls.`)

/** What a call leaves of its budget. */
export interface Budget {
  readonly headers: Readonly<Record<string, string>>
  /** The answer, where the budget is used up. */
  readonly refusal: SandboxAnswer | undefined
}

/** What Meta's networks allow. */
export interface MetaLimits {
  /** An account, of one kind of business in a day; on Threads of any. */
  readonly account: number
  /** All accounts of the app together, on one network in an hour; Threads counts no such. */
  readonly app: number
}

/** Calls as the networks count them: on X by account and operation, at Meta by account and kind of business, and by app. */
export class RateLimits {
  private readonly windows = new Map<string, Window>()

  readonly count = (
    network: Network,
    operation: string,
    accountId: string,
    meta: MetaLimits,
    at: DateTime.Utc
  ): Budget => {
    const now_ms = DateTime.toEpochMillis(at)
    if (network === "x") {
      const limit = xLimits.get(operation) ?? xOthers
      const { start_ms, used } = this.use(`x ${accountId} ${operation}`, xWindow_ms, now_ms)
      const headers = {
        "x-rate-limit-limit": String(limit),
        "x-rate-limit-remaining": String(Math.max(0, limit - used)),
        "x-rate-limit-reset": String(Math.ceil((start_ms + xWindow_ms) / 1000))
      }
      const refusal = used > limit ? problem(429, "Too Many Requests", "Too Many Requests") : undefined
      return { headers, refusal }
    }
    const type = businessCase(network, operation)
    const { start_ms, used } = this.use(`${network} ${accountId} ${type}`, metaWindow_ms, now_ms)
    const usage = usageOf(used, meta.account)
    const isOver = used > meta.account
    const minutes = isOver ? Math.ceil((start_ms + metaWindow_ms - now_ms) / 60_000) : 0
    if (network === "threads") {
      return { headers: { "x-app-usage": JSON.stringify(usage) }, refusal: isOver ? tooMany(4) : undefined }
    }
    const app = this.use(`${network} app`, metaAppWindow_ms, now_ms)
    const business = { [accountId]: [{ type, ...usage, estimated_time_to_regain_access: minutes }] }
    const headers = {
      "x-app-usage": JSON.stringify(usageOf(app.used, meta.app)),
      "x-business-use-case-usage": JSON.stringify(business)
    }
    if (app.used > meta.app) return { headers, refusal: tooMany(4) }
    return { headers, refusal: isOver ? tooMany(businessCode.get(type) ?? 4) : undefined }
  }

  private use(name: string, length_ms: number, now_ms: number): Window {
    const known = this.windows.get(name)
    const window =
      known === undefined || now_ms >= known.start_ms + length_ms
        ? { start_ms: now_ms, used: 1 }
        : { ...known, used: known.used + 1 }
    this.windows.set(name, window)
    for (const oldest of this.windows.keys()) {
      if (this.windows.size <= mostWindows) break
      this.windows.delete(oldest)
    }
    return window
  }
}
