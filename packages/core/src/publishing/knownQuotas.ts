import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import type { PublishQuota } from "../networks/publishing/NetworkPublish.ts"

/** How long an answer is believed. */
const believedFor = Duration.minutes(10)

/** The part of a quota that must be free besides: others publish too, and the network is asked again before it is used up. */
const reserve = 0.2

interface KnownQuota {
  readonly quota: PublishQuota
  readonly readAt: DateTime.Utc
  /** Posts that this worker has begun since. */
  readonly begun: number
}

const isFresh = ({ readAt }: KnownQuota, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThanOrEqualTo(now, readAt) && DateTime.isLessThan(now, DateTime.addDuration(readAt, believedFor))

/**
 * What networks said of their accounts' quotas, so that not every post asks.
 *
 * It saves reads and decides nothing else: where it is wrong, the network refuses the post, which then waits.
 */
export const makeKnownQuotas = () => {
  // The oldest answer first.
  const known = new Map<string, KnownQuota>()

  const forget = (accountId: string): void => {
    known.delete(accountId)
  }

  return {
    forget,
    /** Whether the last answer has room for one more post, which is counted. */
    takeOne: (accountId: string, now: DateTime.Utc): boolean => {
      const one = known.get(accountId)
      if (one === undefined || !isFresh(one, now)) return false
      const { total, used } = one.quota
      if (used + one.begun >= Math.floor(total * (1 - reserve))) return false
      known.set(accountId, { ...one, begun: one.begun + 1 })
      return true
    },
    /** Keeps an answer, which was asked for one post. */
    keep: (accountId: string, quota: PublishQuota, now: DateTime.Utc): void => {
      for (const [id, one] of known) {
        if (isFresh(one, now)) break
        known.delete(id)
      }
      known.delete(accountId)
      known.set(accountId, { quota, readAt: now, begun: 1 })
    }
  }
}
