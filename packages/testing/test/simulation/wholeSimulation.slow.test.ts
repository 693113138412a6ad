import { describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { simulateWhole } from "./whole/simulateWhole.ts"

describe("the whole system, simulated for long (design §11)", () => {
  for (let seed = 1_000; seed < 1_010; seed++) {
    it.effect(`keeps its promises in seed ${seed}`, () => Effect.asVoid(simulateWhole(seed)))
  }
  for (const mostly of ["threads", "polls"] as const) {
    for (let seed = 1; seed <= 6; seed++) {
      it.effect(`keeps its promises where most is about ${mostly}, in seed ${seed}`, () =>
        Effect.asVoid(simulateWhole(seed, Layer.empty, mostly))
      )
    }
  }
})
