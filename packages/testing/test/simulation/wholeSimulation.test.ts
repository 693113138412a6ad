import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { simulateWhole } from "./whole/simulateWhole.ts"

const wanted = process.env["SEED"]
const seeds = wanted === undefined ? [2] : [Number(wanted)]

describe("the whole system, simulated (design §11)", () => {
  for (const seed of seeds) {
    it.effect(`keeps its promises in seed ${seed}`, () => Effect.asVoid(simulateWhole(seed)))
  }

  it.effect("plays the same seed the same way again", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* simulateWhole(1), yield* simulateWhole(1))
    })
  )
})
