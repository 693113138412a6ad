import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { allMishaps, type Mishap } from "../Chance.ts"
import { simulateWhole } from "../whole/simulateWhole.ts"

const isShort = process.env["LOOPBOX_SLOW"] === "short"

/**
 * Of the thousand seeds, in a file: four files, so that each core of a small machine has some. Of the first, which `.ci/run`
 * has alone, it plays these.
 */
const inFile = isShort ? 125 : 250

/** One seed in so many is played twice. */
const replayed = 25

/** How often each mishap has to happen in the seeds of a file, that the promises are worth something. */
const often = isShort ? 2 : 5

/** Simulated seconds in a second, on whatever machine, and without days that pass at once. */
const leastSpeed = 200

/** A quarter of the thousand seeds of the whole system. */
export const playSeeds = (quarter: 0 | 1 | 2 | 3) =>
  describe("the whole system, simulated in a thousand seeds (design §11.3)", () => {
    const mishaps = new Map<Mishap, number>()
    let played = 0
    let simulated_ms = 0
    let taken_ms = 0
    for (let seed = quarter * inFile + 1; seed <= (quarter + 1) * inFile; seed++) {
      it.effect(`keeps its promises in seed ${seed}`, () =>
        Effect.gen(function* () {
          const begun = performance.now()
          const first = yield* simulateWhole(seed)
          taken_ms += performance.now() - begun
          simulated_ms += first.calm_ms
          played += 1
          for (const [mishap, times] of first.mishaps) mishaps.set(mishap, (mishaps.get(mishap) ?? 0) + times)
          if (seed % replayed === 0) assert.deepStrictEqual(yield* simulateWhole(seed), first, "the same seed, again")
        })
      )
    }

    it("met each mishap often, and was quick", () => {
      // Where only some were asked for by name, there is nothing to count.
      if (played < inFile) return
      const rare = allMishaps.filter((mishap) => (mishaps.get(mishap) ?? 0) < often)
      assert.isEmpty(rare, JSON.stringify(Object.fromEntries(mishaps)))
      assert.isAtLeast(simulated_ms / taken_ms, leastSpeed, "simulated seconds in a second")
    })
  })
