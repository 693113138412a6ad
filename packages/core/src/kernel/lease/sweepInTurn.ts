import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import type { StoreUnavailable } from "../StoreUnavailable.ts"
import { LeaseClock } from "./LeaseClock.ts"
import { type SweepKind, SweepTurns } from "./SweepTurns.ts"
import { whileLeased } from "./whileLeased.ts"

/** How long after the death of the process that sweeps another one takes over. */
const lease = "1 minute"

/**
 * Sweeps if no other process does, and none has within `every`. Returns whether it did.
 *
 * A sweep that fails, or whose process dies, is due again at once.
 */
export const sweepInTurn = Effect.fnUntraced(function* <E, R>(
  kind: SweepKind,
  every: Duration.Duration,
  sweep: Effect.Effect<unknown, E, R>
): Effect.fn.Return<boolean, E | StoreUnavailable, R> {
  const turns = yield* SweepTurns
  const now = yield* DateTime.now
  const leaseNow = yield* yield* LeaseClock
  const token = `${yield* Random.nextInt}.${yield* Random.nextInt}`
  const leaseUntil = DateTime.addDuration(leaseNow, lease)
  if (!(yield* turns.take({ kind, token, now, every, leaseNow, leaseUntil }))) return false
  const turn = { kind, token }
  const release = turns.release(turn)
  const swept = yield* whileLeased(Effect.exit(sweep), {
    lease,
    renew: (until) => turns.renew(turn, until),
    release: () => release
  }).pipe(
    Effect.tap((exit) =>
      // After a failure another process may try at once, with more luck.
      Exit.isSuccess(exit) ? turns.settle(turn, now) : Effect.catchTag(release, "StoreUnavailable", () => Effect.void)
    ),
    Effect.asSome,
    Effect.catchTag("LeaseLost", () => Effect.as(Effect.logInfo("another process sweeps now"), Option.none()))
  )
  if (Option.isNone(swept)) return false
  return Exit.isSuccess(swept.value) ? true : yield* Effect.failCause(swept.value.cause)
})
