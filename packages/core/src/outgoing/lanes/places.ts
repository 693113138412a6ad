import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { atOnceOfEndpoint } from "../OutgoingQueue.ts"

/** What is known of an endpoint that is being served. */
export interface LanePlaces {
  /** Attempts under way. */
  taken: number
  /** Whether its last answer was slow, or none came. */
  isSlow: boolean
}

/** An attempt that takes longer than this is slow. */
export const slow_ms = 1_000

interface Waiting {
  readonly lane: LanePlaces
  readonly most: number
  readonly given: Deferred.Deferred<void>
}

/**
 * Places for attempts of one process, `atOnce` in all.
 *
 * While half of them are free an endpoint may have all of its own. Beyond that three quarters are shared evenly by the
 * endpoints that are being served, and the last quarter is for those that have none and were not slow: so receivers that
 * don't answer, however many, never take the last place.
 */
export const makePlaces = (atOnce: number) => {
  const half = Math.ceil(atOnce / 2)
  const shared = Math.ceil((atOnce * 3) / 4)
  const lanes = new Set<LanePlaces>()
  const waiting: Array<Waiting> = []
  let taken = 0

  const mayTake = (lane: LanePlaces, most: number): boolean => {
    if (lane.taken >= most || taken >= atOnce) return false
    if (taken < half) return true
    if (taken < shared) return lane.taken < Math.max(1, Math.floor(shared / Math.max(1, lanes.size)))
    return lane.taken === 0 && !lane.isSlow
  }

  const occupy = (lane: LanePlaces): void => {
    lane.taken += 1
    taken += 1
  }

  /** Serves those who wait, the longest first. */
  const serve = (): void => {
    for (let n = 0; n < waiting.length && taken < atOnce;) {
      const one = waiting[n]
      if (one === undefined) return
      if (!mayTake(one.lane, one.most)) {
        n += 1
        continue
      }
      waiting.splice(n, 1)
      occupy(one.lane)
      Deferred.doneUnsafe(one.given, Effect.void)
    }
  }

  /** Waits for a place of the lane, which may have `most`. */
  const take = (lane: LanePlaces, most = atOnceOfEndpoint): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (waiting.length === 0 && mayTake(lane, most)) {
        occupy(lane)
        return Effect.void
      }
      const one: Waiting = { lane, most, given: Deferred.makeUnsafe() }
      waiting.push(one)
      serve()
      return Effect.onInterrupt(Deferred.await(one.given), () =>
        Effect.sync(() => {
          const place = waiting.indexOf(one)
          if (place >= 0) waiting.splice(place, 1)
          else give(lane)
        })
      )
    })

  const give = (lane: LanePlaces): void => {
    lane.taken -= 1
    taken -= 1
    if (waiting.length > 0) serve()
  }

  /** An endpoint is served from now on. */
  const enter = (isSlow: boolean): LanePlaces => {
    const lane = { taken: 0, isSlow }
    lanes.add(lane)
    return lane
  }

  const leave = (lane: LanePlaces): void => {
    lanes.delete(lane)
    if (waiting.length > 0) serve()
  }

  return { take, give, enter, leave }
}
