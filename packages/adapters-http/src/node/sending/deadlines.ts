import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { supervised } from "@loopbox/core/kernel/lease/supervised"

interface Entry {
  /** On the monotonic clock, in milliseconds. */
  readonly at_ms: number
  expire: (() => void) | undefined
}

/** Ends the wait for a deadline. */
export type Cancel = () => void

const nobody = (): void => undefined

/** Canceled entries in front are cut off once they are this many. */
const cutAt = 1_024

/**
 * Calls back at deadlines that are canceled nearly always. All of them share one timer and one fiber, which cost as much
 * as a signature if each attempt has its own.
 */
export const makeDeadlines = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const woken = yield* Queue.sliding<void>(1)
  const now_ms = (): number => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
  /** By their time. */
  const queue: Array<Entry> = []
  let head = 0
  let sleepsUntil_ms = Number.POSITIVE_INFINITY

  const next = (): Entry | undefined => {
    while (head < queue.length && queue[head]?.expire === undefined) head += 1
    if (head >= cutAt) {
      queue.splice(0, head)
      head = 0
    }
    return queue[head]
  }

  const add = (after: Duration.Duration, expire: () => void): Cancel => {
    const entry: Entry = { at_ms: now_ms() + Duration.toMillis(after), expire }
    next()
    let place = queue.length
    while (place > head && (queue[place - 1]?.at_ms ?? 0) > entry.at_ms) place -= 1
    queue.splice(place, 0, entry)
    if (entry.at_ms < sleepsUntil_ms) Queue.offerUnsafe(woken, undefined)
    return () => {
      entry.expire = undefined
    }
  }

  const turn = Effect.suspend(() => {
    const first = next()
    const left_ms = first === undefined ? Number.POSITIVE_INFINITY : first.at_ms - now_ms()
    if (first !== undefined && left_ms <= 0) {
      const { expire = nobody } = first
      first.expire = undefined
      // What fails in one must not keep the others waiting.
      return Effect.catchCause(Effect.sync(expire), (cause) =>
        Effect.logError("an attempt was not ended at its deadline", cause)
      )
    }
    sleepsUntil_ms = first?.at_ms ?? left_ms
    return first === undefined
      ? Queue.take(woken)
      : Effect.raceFirst(Queue.take(woken), Effect.sleep(Duration.millis(left_ms)))
  })
  yield* supervised("endpoints.deadlines", turn)

  return add
})
