import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { simulate } from "./simulate.ts"

const wanted = process.env["SEED"]
const seeds = wanted === undefined ? Array.from({ length: 6 }, (_, i) => i + 1) : [Number(wanted)]

describe("the system, simulated (design §11)", () => {
  for (const seed of seeds) {
    it.effect(`keeps its promises in seed ${seed}`, () =>
      Effect.gen(function* () {
        const trace = yield* simulate(seed)
        if (wanted !== undefined) yield* Effect.log(trace.join("\n"))
      })
    )
  }

  it.effect("plays the same seed the same way again", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* simulate(7), yield* simulate(7))
    })
  )
})
