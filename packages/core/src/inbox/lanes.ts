import * as Arr from "effect/Array"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

export interface LaneOptions<A, B, E> {
  /** Batches of one lane that are worked on at once; others wait, and grow together. */
  readonly inLane: number
  /** What a batch may weigh; a piece that weighs more is one by itself. */
  readonly batchWeight: number
  readonly weightOf: (piece: A) => number
  /** Works on pieces of one lane; one exit for each, in their order. */
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
 * Sorts work into lanes, so that one that is busy takes no more than its share, and makes up for it by larger batches.
 *
 * Answers how to hand a piece in; it ends with the piece's own exit. A piece that is interrupted before its batch began
 * is forgotten; later the batch goes on without it.
 */
export const makeLanes = Effect.fnUntraced(function* <A, B, E>(options: LaneOptions<A, B, E>) {
  const { batchWeight, inLane, run, weightOf } = options
  const scope = yield* Effect.scope
  const lanes = new Map<string, Lane<A, B, E>>()

  /** The first that waits, and what fits beside it. */
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
          // In the same breath as the look: whoever comes later begins anew.
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
