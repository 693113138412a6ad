import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { simulateUpkeep } from "./upkeep/simulateUpkeep.ts"

describe("what customers do beside the traffic, simulated in many seeds", () => {
  for (let from = 1; from <= 200; from += 25) {
    it.effect(`keeps its promises in seeds ${from} to ${from + 24}`, () =>
      Effect.gen(function* () {
        for (let seed = from; seed < from + 25; seed++) yield* simulateUpkeep(seed)
      })
    )
  }
})
