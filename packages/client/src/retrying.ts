import { LoopboxError } from "./LoopboxError.ts"
import { backoff } from "./waiting.ts"

/** Longest wait that a retry is worth; an error that asks for more is handed to the caller. */
const longestWaitMs = 20_000

/** Added to what the host says, so that many who were refused at once don't come again at once. */
const spreadMs = 500

export interface Attempt {
  readonly method: string
  readonly hasKey: boolean
  /** The body can be sent again: a stream can't. */
  readonly isReplayable: boolean
  /** How many tries there were, this one included. */
  readonly tries: number
}

/** Before anything has run, whatever was asked (api.md §2). */
const hasNotRun = ({ code }: LoopboxError) => code === "INBOX_SCOPE_LOOKUP_FAILED"

const isPassing = ({ code, status }: LoopboxError) => status === 429 || status === 503 || code === "CONNECTION_FAILED"

/**
 * A host that is away or busy, which says nothing about what was asked. Where it has answered before (`isKnown`), an answer
 * that is not a host's, such as a page of the proxy with 200 or 404, stands in for it until it is back.
 */
export const mayPass = ({ code, status }: LoopboxError, isKnown: boolean): boolean =>
  status === 0 || status === 429 || status >= 500 || (isKnown && code === "INVALID_ANSWER")

/**
 * Milliseconds to wait before the same request may be made again; undefined where it must not be.
 *
 * Repeated are reads, and writes under an Idempotency-Key, after 429, 503 or a lost connection; and anything after
 * INBOX_SCOPE_LOOKUP_FAILED. A time-out is not: the host may still be at it.
 */
export const retryDelay = (error: LoopboxError, attempt: Attempt, retries: number): number | undefined => {
  const isSafe = attempt.method === "GET" || attempt.hasKey
  if (attempt.tries > retries || !attempt.isReplayable) return undefined
  if (!hasNotRun(error) && !(isSafe && isPassing(error))) return undefined
  if (error.retryAfter === null) return backoff(attempt.tries - 1, 250, 8_000)
  const asked = error.retryAfter * 1_000
  return asked > longestWaitMs ? undefined : asked + backoff(0, spreadMs, spreadMs)
}

/** `Retry-After`: seconds, or a date as a proxy may give it. */
export const retryAfterOf = (header: string | null, now: string | null): number | null => {
  if (header === null || header.trim() === "") return null
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const until = Date.parse(header) - Date.parse(now ?? "")
  return Number.isFinite(until) ? Math.max(0, Math.ceil(until / 1_000)) : null
}
