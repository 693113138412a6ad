import * as DateTime from "effect/DateTime"
import type { SocialAccountId } from "../kernel/Ids.ts"

/** How often it is stored that a webhook came for an account, so that a busy one costs no statement more for each. */
const pause_ms = 60_000

/** Accounts to remember before those of which nothing came for a while are forgotten. */
const remembered = 10_000

/** Of which accounts it was stored within the last minute, by this process, that a webhook came. */
export const makeHearing = () => {
  const notedAt = new Map<SocialAccountId, number>()
  const isOld = (at: number, now: DateTime.Utc) => DateTime.toEpochMillis(now) - at >= pause_ms
  return {
    isDue: (accountId: SocialAccountId, now: DateTime.Utc): boolean => {
      const at = notedAt.get(accountId)
      return at === undefined || isOld(at, now)
    },
    note: (accountId: SocialAccountId, now: DateTime.Utc): void => {
      if (notedAt.size >= remembered) {
        for (const [id, at] of notedAt) if (isOld(at, now)) notedAt.delete(id)
      }
      notedAt.set(accountId, DateTime.toEpochMillis(now))
    }
  }
}
