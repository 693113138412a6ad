import * as Arr from "effect/Array"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

export interface LaneOptions<A, B, E> {
  /** Concurrent batches of one lane. Waiting pieces form the next batch. */
  readonly inLane: number
  /** Largest weight of a batch; a heavier piece is a batch of its own. */
  readonly batchWeight: number
  readonly weightOf: (piece: A) => number
  /** Processes a batch of one lane; returns one exit per piece, in order. */
  readonly run: (pieces: Arr.NonEmptyReadonlyArray<A>) => Effect.Effect<ReadonlyArray<Exit.Exit<B, E>>>
}

interface Waiting<A, B, E> {
  readonly piece: A
  readonly done: Deferred.Deferred<B, E>
}

interface Lane<A, B, E> {
  readonly waiting: Array<Waiting<A, B, E>>
  running: number
}

/**
 * Runs work in lanes (one per key) of limited concurrency. A busy lane gets larger batches instead of more concurrency.
 *
 * Returns a function that submits a piece and ends with the piece's exit. A piece that is interrupted before its batch
 * starts is removed; a batch that runs already continues.
 */
export const makeLanes = Effect.fnUntraced(function* <A, B, E>(options: LaneOptions<A, B, E>) {
  const { batchWeight, inLane, run, weightOf } = options
  const scope = yield* Effect.scope
  const lanes = new Map<string, Lane<A, B, E>>()

  /** The first waiting piece, and those that fit into its batch. */
  const takeBatch = ({ waiting }: Lane<A, B, E>): ReadonlyArray<Waiting<A, B, E>> => {
    let weight = 0
    const tooMany = waiting.findIndex(({ piece }, place) => {
      weight += weightOf(piece)
      return place > 0 && weight > batchWeight
    })
    return waiting.splice(0, tooMany < 0 ? waiting.length : tooMany)
  }

  const runBatch = (batch: ReadonlyArray<Waiting<A, B, E>>) => {
    if (!Arr.isReadonlyArrayNonEmpty(batch)) return Effect.void
    return run(Arr.map(batch, ({ piece }) => piece)).pipe(
      Effect.catchCause((cause) => Effect.succeed(batch.map(() => Exit.failCause(cause)))),
      Effect.flatMap((exits) =>
        Effect.forEach(
          batch,
          ({ done }, place) => Deferred.done(done, exits[place] ?? Exit.die(new Error("a piece of work has no end"))),
          { discard: true }
        )
      )
    )
  }

  const work = (name: string, lane: Lane<A, B, E>) =>
    Effect.suspend(() => runBatch(takeBatch(lane))).pipe(
      Effect.repeat({
        while: () => {
          if (lane.waiting.length > 0) return true
          // No yield between the check and the decrement, so that a new piece either is seen here or starts the lane
          // again.
          lane.running--
          if (lane.running === 0) lanes.delete(name)
          return false
        }
      })
    )

  return Effect.fnUntraced(function* (name: string, piece: A) {
    const entry: Waiting<A, B, E> = { piece, done: yield* Deferred.make<B, E>() }
    const lane: Lane<A, B, E> = lanes.get(name) ?? { waiting: [], running: 0 }
    lanes.set(name, lane)
    lane.waiting.push(entry)
    if (lane.running < inLane) {
      lane.running++
      yield* Effect.forkIn(work(name, lane), scope)
    }
    return yield* Effect.onInterrupt(Deferred.await(entry.done), () =>
      Effect.sync(() => {
        const place = lane.waiting.indexOf(entry)
        if (place >= 0) lane.waiting.splice(place, 1)
      })
    )
  })
})
