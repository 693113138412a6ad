import { describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { simulateWhole } from "./whole/simulateWhole.ts"

describe("the whole system, simulated where most is about some parts of it (design §11)", () => {
  for (const mostly of ["threads", "polls"] as const) {
    for (let seed = 1; seed <= 6; seed++) {
      it.effect(`keeps its promises where most is about ${mostly}, in seed ${seed}`, () =>
        Effect.asVoid(simulateWhole(seed, Layer.empty, mostly))
      )
    }
  }
})
