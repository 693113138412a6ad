import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { RateLimit } from "../system/HttpSettings.ts"

/** A key's bucket after one request. */
export interface RateVerdict {
  readonly isAllowed: boolean
  readonly remaining: number
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number
  /** Seconds until one more request is allowed. */
  readonly waitSeconds: number
}

interface Bucket {
  tokens: number
  filledAt_ms: number
}

/** Buckets that are kept; a full one is worth no more than none. */
const maxBuckets = 10_000

/**
 * A token bucket for each key of this process.
 *
 * Effect's own limiter has the same bucket, but its store in memory never forgets a key.
 */
export const makeRateLimiter = ({ burst, perSecond }: RateLimit) => {
  const buckets = new Map<string, Bucket>()

  const forgetFull = (now_ms: number) => {
    for (const [key, { filledAt_ms, tokens }] of buckets) {
      if (tokens + ((now_ms - filledAt_ms) / 1000) * perSecond >= burst) buckets.delete(key)
    }
    // All of them are in use: those that were idle longest go, for a Map keeps the order of insertion.
    for (const key of buckets.keys()) {
      if (buckets.size < maxBuckets) return
      buckets.delete(key)
    }
  }

  const availableIn = (bucket: Bucket | undefined, now_ms: number): number => {
    if (bucket === undefined) return burst
    const elapsed_s = Math.max(0, now_ms - bucket.filledAt_ms) / 1000
    return Math.min(burst, bucket.tokens + elapsed_s * perSecond)
  }
  const waitFor = (left: number): number => Math.max(1, Math.ceil((1 - left) / perSecond))

  const take = (key: string, now_ms: number): RateVerdict => {
    const known = buckets.get(key)
    if (known === undefined && buckets.size >= maxBuckets) forgetFull(now_ms)
    const available = availableIn(known, now_ms)
    const isAllowed = available >= 1
    const left = isAllowed ? available - 1 : available
    buckets.delete(key)
    buckets.set(key, { tokens: left, filledAt_ms: now_ms })
    return {
      isAllowed,
      remaining: Math.floor(left),
      resetSeconds: Math.ceil((burst - left) / perSecond),
      waitSeconds: waitFor(left)
    }
  }

  return {
    /** Whether a request would be allowed; takes nothing. */
    look: (key: string, now_ms: number): Pick<RateVerdict, "isAllowed" | "waitSeconds"> => {
      const available = availableIn(buckets.get(key), now_ms)
      return { isAllowed: available >= 1, waitSeconds: waitFor(available) }
    },
    take: (key: string): Effect.Effect<RateVerdict> => Effect.map(Clock.currentTimeMillis, (now) => take(key, now))
  }
}
