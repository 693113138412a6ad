import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { StoreUnavailable } from "../StoreUnavailable.ts"
import { LeaseClock } from "./LeaseClock.ts"
import type { LeaseLost } from "./LeaseLost.ts"

export interface Lease<R> {
  readonly lease: Duration.Input
  /** Time between two heartbeats. Default: a third of the lease. */
  readonly beatEvery?: Duration.Input
  /** Extends the lease to a time on the lease clock. */
  readonly renew: (leaseUntil: DateTime.Utc) => Effect.Effect<unknown, LeaseLost | StoreUnavailable, R>
  /** Ends the lease at once, so that another worker can claim the work. */
  readonly release: (leaseNow: DateTime.Utc) => Effect.Effect<unknown, LeaseLost | StoreUnavailable, R>
}

/**
 * Runs the work on one claim and renews its lease meanwhile.
 *
 * Interrupts the work and fails with `LeaseLost` when a heartbeat finds that the lease is lost. When it is interrupted
 * itself, it releases the claim after the work has stopped. A heartbeat that cannot reach the store is logged: the
 * lease may last longer than the outage, and if not, a later heartbeat finds it lost.
 */
export const whileLeased = Effect.fnUntraced(function* <A, E, R, R2>(
  work: Effect.Effect<A, E, R>,
  { beatEvery, lease, release, renew }: Lease<R2>
): Effect.fn.Return<A, E | LeaseLost, R | R2> {
  const leaseNow = yield* LeaseClock
  const every = beatEvery ?? Duration.divideUnsafe(Duration.fromInputUnsafe(lease), 3)
  const heartbeat = leaseNow.pipe(
    Effect.flatMap((now) => renew(DateTime.addDuration(now, lease))),
    Effect.catchTag("StoreUnavailable", (error) => Effect.logWarning("a lease was not prolonged", error)),
    // A bug in the heartbeat must not stop work that may settle before the lease expires.
    Effect.catchDefect((defect) => Effect.logError("a heartbeat met a defect", defect)),
    Effect.delay(every),
    Effect.forever
  )
  const handBack = Effect.flatMap(leaseNow, release).pipe(
    // The work was settled at the same moment, or another worker has already claimed it.
    Effect.catchTag("LeaseLost", () => Effect.void),
    Effect.catchCause((cause) => Effect.logWarning("a claim was not handed back; its lease will end", cause))
  )
  return yield* Effect.raceFirst(work, heartbeat).pipe(Effect.onInterrupt(() => handBack))
})
