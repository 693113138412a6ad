import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { simulateBackground } from "./simulateBackground.ts"

const wanted = process.env["SEED"]
const seeds = wanted === undefined ? [2] : [Number(wanted)]

describe("what goes on by itself, simulated", () => {
  for (const seed of seeds) {
    it.effect(`keeps its promises in seed ${seed}`, () => Effect.asVoid(simulateBackground(seed)))
  }

  it.effect("plays the same seed the same way again", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* simulateBackground(1), yield* simulateBackground(1))
    })
  )
})
