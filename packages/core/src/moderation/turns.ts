import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"

interface Turn {
  readonly semaphore: Semaphore.Semaphore
  users: number
}

/** Runs effects of one key one after another in this process; those of other keys are not waited for. */
export const makeTurns = () => {
  const turns = new Map<string, Turn>()
  return <A, E, R>(key: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const turn = turns.get(key) ?? { semaphore: Semaphore.makeUnsafe(1), users: 0 }
      turns.set(key, turn)
      turn.users += 1
      return Effect.ensuring(
        turn.semaphore.withPermits(1)(effect),
        Effect.sync(() => {
          turn.users -= 1
          if (turn.users === 0) turns.delete(key)
        })
      )
    })
}
