import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/**
 * The clock of leases: the time of the database, without the offset of the test clock.
 *
 * A test that moves the clock by 25 hours must not make the lease of every running job expire. Without a test clock
 * this is the ordinary clock.
 */
export const LeaseClock = Context.Reference<Effect.Effect<DateTime.Utc>>("@loopbox/core/kernel/lease/LeaseClock", {
  defaultValue: () => DateTime.now
})

/** Between a look at one clock and one at the other time passes. A test clock that is ahead by less is as good as none. */
const betweenLooks = Duration.seconds(1)

/** Makes what tells a moment of the ordinary clock as the clock of leases has it: a test clock is ahead of that by days. */
export const makeToLeaseTime = Effect.map(LeaseClock, (leaseNow) =>
  Effect.fnUntraced(function* (moment: DateTime.Utc) {
    const ahead = DateTime.distance(yield* DateTime.now, yield* leaseNow)
    return Duration.isLessThan(Duration.abs(ahead), betweenLooks) ? moment : DateTime.addDuration(moment, ahead)
  })
)
