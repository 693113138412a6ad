import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

interface Waiting<A, B, E> {
  readonly items: ReadonlyArray<A>
  readonly done: Deferred.Deferred<ReadonlyArray<B>, E>
}

/**
 * Makes a call that writes what came for a key while the write before it was under way in one go: a burst takes few
 * transactions, and one connection for each key. A call by itself is written at once.
 *
 * `write` gives one result for each item, in the same order. A call that is interrupted is written nevertheless.
 */
export const makeWriteTogether = <A, B, E>(
  write: (key: string, items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>, E>,
  callsAtOnce: number
) => {
  /** Of each key that is being written: what waits. */
  const queues = new Map<string, Array<Waiting<A, B, E>>>()

  const writeNext = (key: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      const calls = queues.get(key)?.splice(0, callsAtOnce) ?? []
      if (calls.length === 0) {
        queues.delete(key)
        return Effect.void
      }
      return Effect.exit(
        write(
          key,
          calls.flatMap(({ items }) => items)
        )
      ).pipe(
        Effect.flatMap((exit) => {
          let from = 0
          return Effect.forEach(
            calls,
            ({ done, items }) => {
              const own = [from, (from += items.length)] as const
              return Deferred.done(
                done,
                Exit.map(exit, (results) => results.slice(...own))
              )
            },
            { discard: true }
          )
        }),
        Effect.andThen(writeNext(key))
      )
    })

  return Effect.fnUntraced(function* (key: string, items: ReadonlyArray<A>) {
    const done = yield* Deferred.make<ReadonlyArray<B>, E>()
    // In one piece: an interruption in between would leave a key that nobody writes, for which all later calls wait.
    yield* Effect.uninterruptible(
      Effect.suspend(() => {
        const queue = queues.get(key)
        if (queue !== undefined) {
          queue.push({ items, done })
          return Effect.void
        }
        queues.set(key, [{ items, done }])
        return Effect.forkDetach(Effect.interruptible(writeNext(key)))
      })
    )
    return yield* Deferred.await(done)
  })
}
