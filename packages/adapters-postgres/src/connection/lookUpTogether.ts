import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/**
 * Makes a look-up that is made once for all who ask for the same key in one turn of the event loop.
 *
 * It begins after the last of them has asked, so that each of them finds what was committed before it asked; whoever asks
 * once it has begun waits for the next one. A caller that is interrupted takes nothing from the others.
 */
export const makeLookUpTogether = <K, A, E>(lookUp: (key: K) => Effect.Effect<A, E>) => {
  /** Look-ups that have not begun. */
  const asked = new Map<K, Deferred.Deferred<A, E>>()

  /** In one piece: an interruption in between would leave a look-up that nobody makes. */
  const ask = (key: K) =>
    Effect.uninterruptible(
      Effect.suspend(() => {
        const earlier = asked.get(key)
        if (earlier !== undefined) return Effect.succeed(earlier)
        const found = Deferred.makeUnsafe<A, E>()
        asked.set(key, found)
        const begin = Effect.suspend(() => {
          asked.delete(key)
          return Effect.interruptible(lookUp(key))
        })
        // A fork begins when this turn is over.
        return Effect.as(Effect.forkDetach(Deferred.into(begin, found)), found)
      })
    )

  return (key: K): Effect.Effect<A, E> => Effect.flatMap(ask(key), Deferred.await)
}
