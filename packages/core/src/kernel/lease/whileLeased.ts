import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { StoreUnavailable } from "../StoreUnavailable.ts"
import { LeaseClock } from "./LeaseClock.ts"
import type { LeaseLost } from "./LeaseLost.ts"
import { StoreContact } from "./StoreContact.ts"

export interface Lease<R> {
  readonly lease: Duration.Input
  /** Time between two heartbeats. Default: a third of the lease. */
  readonly beatEvery?: Duration.Input
  /** Extends the lease to a time on the lease clock. */
  readonly renew: (leaseUntil: DateTime.Utc) => Effect.Effect<unknown, LeaseLost | StoreUnavailable, R>
  /** Ends the lease at once, so that another worker can claim the work. */
  readonly release: (leaseNow: DateTime.Utc) => Effect.Effect<unknown, LeaseLost | StoreUnavailable, R>
}

/** After a failed heartbeat. Shorter than the third of a lease, so that the store's return is used at once. */
const retryPause = Duration.seconds(1)

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
  const contact = yield* StoreContact
  const every = Duration.fromInputUnsafe(beatEvery ?? Duration.divideUnsafe(Duration.fromInputUnsafe(lease), 3))
  const beat = Effect.gen(function* () {
    const now = yield* leaseNow
    return yield* renew(DateTime.addDuration(now, lease)).pipe(
      Effect.as(every),
      Effect.catchTag("StoreUnavailable", (error) => {
        contact.failed(now)
        return Effect.as(Effect.logWarning("a lease was not prolonged", error), Duration.min(every, retryPause))
      }),
      // A bug in the heartbeat must not stop work that may settle before the lease expires.
      Effect.catchDefect((defect) => Effect.as(Effect.logError("a heartbeat met a defect", defect), every))
    )
  })
  const heartbeat = Effect.gen(function* () {
    let pause = every
    while (true) pause = yield* Effect.delay(beat, pause)
  })
  const handBack = Effect.flatMap(leaseNow, release).pipe(
    // The work was settled at the same moment, or another worker has already claimed it.
    Effect.catchTag("LeaseLost", () => Effect.void),
    Effect.catchCause((cause) => Effect.logWarning("a claim was not handed back; its lease will end", cause))
  )
  return yield* Effect.raceFirst(work, heartbeat).pipe(Effect.onInterrupt(() => handBack))
})
