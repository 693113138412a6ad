import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Ref from "effect/Ref"
import type * as Scope from "effect/Scope"
import { HttpSettings } from "../system/HttpSettings.ts"

/**
 * Counts the requests of a mount while they are answered, so that its end can wait for them. A mount has no port of its
 * own that could be closed: what comes after the end began is answered 503 by the edge.
 */
export const makeRequestsInHand = Effect.gen(function* () {
  const { drain, ended } = yield* HttpSettings
  const none = yield* Latch.make(true)
  let count = 0
  const enter = Effect.sync(() => {
    count++
    none.closeUnsafe()
  })
  const leave = Effect.sync(() => {
    count--
    if (count === 0) none.openUnsafe()
  })
  return {
    /** Until the scope of the request closes, which is when the whole answer has been given. */
    counted: <A, E, R>(routes: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Scope.Scope> =>
      Effect.andThen(
        Effect.acquireRelease(enter, () => leave),
        routes
      ),
    /** Takes no more requests, and waits for those in hand, for `drain` at most. */
    atEnd: Effect.addFinalizer(() =>
      Ref.set(ended, true).pipe(Effect.andThen(none.await), Effect.timeoutOption(drain), Effect.asVoid)
    )
  }
})
