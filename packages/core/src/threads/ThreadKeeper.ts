import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { supervised } from "../kernel/lease/supervised.ts"
import { ThreadStore } from "./ThreadStore.ts"

/** Snoozes that one transaction of each account ends at most. */
const wokenAtOnce = 100

/** Threads that one transaction counts, and such transactions of one turn: between turns snoozes are looked at. */
const countedAtOnce = 200
const countsPerTurn = 10

/**
 * Ends snoozes whose time has come, and counts the threads that a version without counts has written, in batches. Any
 * number of processes may run it.
 */
export const layer = (options: { readonly every?: Duration.Input } = {}): Layer.Layer<never, never, ThreadStore> =>
  Layer.effectDiscard(keep(options.every ?? "2 seconds"))

const keep = Effect.fnUntraced(function* (every: Duration.Input) {
  const store = yield* ThreadStore
  const turn = Effect.gen(function* () {
    let woken: number
    do woken = yield* store.wakeDue(yield* DateTime.now, wokenAtOnce)
    while (woken >= wokenAtOnce)
    for (let turns = 0; turns < countsPerTurn; turns++) {
      if ((yield* store.countLeft(countedAtOnce)) === 0) return
    }
  })
  yield* supervised("threads.keep", turn, { every })
})
