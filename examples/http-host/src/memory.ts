import * as Effect from "effect/Effect"
import { getHeapStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/**
 * Ends what `bin/loopbox.js` began: while modules load, V8's young generation may not grow.
 *
 * Loading keeps nearly all that it allocates, which V8 takes for a reason to make the young generation 16 MiB, three
 * times over, and keeps for good. Held back for ever, a list request cost 40 % more CPU.
 */
const letGrow = Effect.sync(() => setFlagsFromString("--semi-space-growth-factor=2"))

const isCollector = (value: unknown): value is NodeJS.GCFunction => typeof value === "function"

/** V8's collector. Only contexts that are made after the flag have it. */
const findCollector = Effect.sync(() => {
  setFlagsFromString("--expose-gc")
  const found: unknown = runInNewContext("gc")
  return isCollector(found) ? found : undefined
})

/** Bytes outside the heap that may come to be before the young generation is swept. */
const step_bytes = 12_000_000
/** How often they are looked at; a client on the same machine sends 2 MB in that time. */
const lookEvery_ms = 5

/**
 * Sweeps the young generation whenever buffers of another 12 MB have come to be; half a millisecond each time.
 *
 * A body of 50 MB comes in a thousand buffers, of which V8 sees only the small objects in its heap. Left alone it lets
 * some 80 MB of dead ones lie, and the peak of a host with 4 uploads of 50 MB and 2 conversions was 220 to 310 MiB;
 * swept it is 190 to 210, and no sweep of the whole heap is needed.
 */
const sweepBuffers = (collect: NodeJS.GCFunction) => {
  const outside_bytes = () => getHeapStatistics().external_memory
  let swept_bytes = outside_bytes()
  const look = () => {
    const now_bytes = outside_bytes()
    swept_bytes = Math.min(swept_bytes, now_bytes)
    if (now_bytes - swept_bytes < step_bytes) return
    collect({ type: "minor" })
    swept_bytes = outside_bytes()
  }
  return Effect.acquireRelease(
    // A timer of Node: a fiber that wakes 200 times a second costs an idle host 1 % of a core.
    Effect.sync(() => setInterval(look, lookEvery_ms)),
    (timer) => Effect.sync(() => clearInterval(timer))
  )
}

/** From the moment that a host has started: lets it use memory where that makes it quick, and only there. */
export const keepSmall = Effect.gen(function* () {
  yield* letGrow
  const collect = yield* findCollector
  if (collect !== undefined) yield* Effect.suspend(() => sweepBuffers(collect))
})
