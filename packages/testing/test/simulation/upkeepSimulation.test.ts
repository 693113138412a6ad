import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { simulateUpkeep } from "./upkeep/simulateUpkeep.ts"

const wanted = process.env["SEED"]
const seeds = wanted === undefined ? [1, 2, 3] : [Number(wanted)]

describe("what customers do beside the traffic, simulated", () => {
  for (const seed of seeds) {
    it.effect(`keeps its promises in seed ${seed}`, () => Effect.asVoid(simulateUpkeep(seed)))
  }

  it.effect("plays the same seed the same way again", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* simulateUpkeep(4), yield* simulateUpkeep(4))
    })
  )
})
