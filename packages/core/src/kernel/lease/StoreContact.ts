import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"

/**
 * What a claim loop and the heartbeats of its claims know of their store's outages.
 *
 * Nobody can renew a lease while the store is away, so a lease that ended meanwhile does not mean that its worker died.
 * After an outage the loop therefore claims as if no time had passed since the store's last answer, until the other
 * workers have had `grace` to renew. Otherwise running work would be taken from live workers, done twice, and counted
 * as a lost attempt.
 */
export interface StoreContact {
  /** A claim of this moment was answered. Heartbeats do not say so, for some of them ask nothing. */
  readonly answered: (now: DateTime.Utc) => void
  /** A claim or a heartbeat of this moment found the store away. */
  readonly failed: (now: DateTime.Utc) => void
  /** Leases that ended before this have expired: `now`, or earlier during and right after an outage. */
  readonly expiredBefore: (now: DateTime.Utc) => DateTime.Utc
}

/** Twice the pause after which a worker repeats a heartbeat that failed. */
const grace = Duration.seconds(2)

export const makeStoreContact = (): StoreContact => {
  let lastAnswer: DateTime.Utc | undefined
  let outage: { readonly since: DateTime.Utc; readonly endedAt?: DateTime.Utc } | undefined
  return {
    answered: (now) => {
      lastAnswer = now
      if (outage !== undefined) outage = { since: outage.since, endedAt: outage.endedAt ?? now }
    },
    // A store that answers some calls and fails others begins a new outage each time, so that new work is not held up
    // for as long as that lasts.
    failed: (now) => {
      if (outage === undefined || outage.endedAt !== undefined) outage = { since: lastAnswer ?? now }
    },
    expiredBefore: (now) => {
      if (outage === undefined) return now
      const { endedAt, since } = outage
      if (endedAt === undefined || Duration.isLessThan(DateTime.distance(endedAt, now), grace)) return since
      outage = undefined
      return now
    }
  }
}

/** The contact of the claim loop that runs this work; outside of a loop nothing reads it. */
export const StoreContact = Context.Reference<StoreContact>("@loopbox/core/kernel/lease/StoreContact", {
  defaultValue: makeStoreContact
})
