import * as DateTime from "effect/DateTime"

const most = 50
const within_ms = 5_000
const locked_ms = 3_600_000

/** Instagram's lock: who likes more than 50 times in 5 seconds may not for an hour. */
export class LikeLock {
  private readonly recent = new Map<string, ReadonlyArray<number>>()
  private readonly lockedUntil = new Map<string, number>()

  /** Counts a like, or its taking back. Returns whether the account may. */
  readonly admit = (accountId: string, at: DateTime.Utc): boolean => {
    const now = DateTime.toEpochMillis(at)
    if ((this.lockedUntil.get(accountId) ?? 0) > now) return false
    const recent = [...(this.recent.get(accountId) ?? []).filter((one) => one > now - within_ms), now]
    this.recent.set(accountId, recent)
    if (recent.length <= most) return true
    this.lockedUntil.set(accountId, now + locked_ms)
    return false
  }
}
