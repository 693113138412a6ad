import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"

/**
 * The clock of leases: the database's time without the test clock's shift.
 *
 * A test that moves the clock by 25 hours must not take every running job from its worker. Where no test clock is
 * on, it is the ordinary clock.
 */
export const LeaseClock = Context.Reference<Effect.Effect<DateTime.Utc>>("@loopbox/core/kernel/LeaseClock", {
  defaultValue: () => DateTime.now
})
